// Lists the processes that a process has started, and those that they have started, on Linux.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type Running = { readonly pid: number; readonly parent: number; readonly command: string };

/** Returns the processes below `pid` that run now; none where there is no /proc. */
export function processesBelow(pid: number): readonly Running[] {
  const pids = existsSync('/proc/self/stat') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const running = pids.map((name) => readProcess(Number(name))).filter((one) => one !== undefined);
  const below = (parent: number): readonly Running[] =>
    running.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

export function isRunning(pid: number): boolean {
  return readProcess(pid) !== undefined;
}

/** Returns undefined for one that has ended, also if its parent has not noticed yet. */
function readProcess(pid: number): Running | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may have any characters.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return state === 'Z' ? undefined : { pid, parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
