// Lists the processes that a process has started, and those that they have started, on Linux.

import { readdir, readFile } from 'node:fs/promises';

export type Running = { readonly pid: number; readonly parent: number; readonly command: string };

/** Returns the processes below `pid` that run now; one that has ended and whose parent has not noticed is none. */
export async function processesBelow(pid: number): Promise<readonly Running[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const running = (await Promise.all(pids.map(readProcess))).filter((one) => one !== undefined);
  const below = (parent: number): readonly Running[] =>
    running.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

async function readProcess(pid: number): Promise<Running | undefined> {
  const [stat, command] = await Promise.all(
    ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  // The name of the program, in parentheses, may have any characters.
  const [state, parent] = (stat?.slice(stat.lastIndexOf(')') + 2) ?? '').split(' ');
  if (parent === undefined || state === 'Z') return undefined;
  return { pid, parent: Number(parent), command: command?.replaceAll('\0', ' ').trim() ?? '' };
}
