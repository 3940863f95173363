// Runs one script without a shell: one argument, a minimal environment, a temporary folder, and a separate process
// group.

import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { plainPath, type ScriptOrder } from '../domain/script.ts';
import { guard } from '../guard.ts';

/** The user that scripts run as, if it is not the user of the server. */
export type ScriptUser = { readonly uid: number; readonly gid: number };

export type ScriptEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The error code if the process could not be started. */
  readonly trouble: string | undefined;
  readonly output: string;
};

export type RunningScript = {
  readonly ended: Promise<ScriptEnd>;
  /** Signals the process group: the script and all processes it has started. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
};

const mostOutput = 65_536;
/** Output written before the kill arrives at once; a process that left the group may keep the pipe open forever. */
const lastOutputMs = 500;

export async function runScript(file: string, order: ScriptOrder, user?: ScriptUser): Promise<RunningScript> {
  const cwd = await mkdtemp(join(tmpdir(), 'tocsin-command-'));
  if (user !== undefined) await chown(cwd, user.uid, user.gid);
  const child = spawn(file, ['--', order.parameter], {
    cwd,
    env: {
      PATH: '/usr/bin:/bin',
      TOCSIN_ALARM_ID: String(order.alarmId),
      TOCSIN_ALARM_PATH: plainPath(order.alarmPath),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Creates a process group, so that all its processes can be killed.
    detached: true,
    ...user,
  });
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => signalGroup(child, name);
  const ended = watch(child).finally(() => removeFolder(cwd));
  return { ended, signal };
}

/** Ignores errors: the outcome of the script counts even if its folder cannot be removed. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

async function watch(child: ChildProcess): Promise<ScriptEnd> {
  const output = collect(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = await new Promise<Omit<ScriptEnd, 'output'>>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ exitCode: null, signal: null, trouble: error.code ?? 'unknown error' }),
    );
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, trouble: undefined }));
  });
  // No process of the group may outlive the script.
  signalGroup(child, 'SIGKILL');
  const noMore = new AbortController();
  await Promise.race([closed, pause(lastOutputMs, undefined, { signal: noMore.signal }).catch(() => undefined)]);
  noMore.abort();
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  return { ...end, output: output() };
}

/** Collects the beginning of the output. Reads and discards the rest: closing the pipe would end the script halfway. */
function collect(child: ChildProcess): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  for (const stream of [child.stdout, child.stderr]) {
    const keep = (part: Buffer): void => {
      if (size < mostOutput) parts.push(part.subarray(0, mostOutput - size));
      size += part.length;
    };
    const fail = (error: unknown): unknown => parts.push(Buffer.from(String(error)));
    stream?.on('data', (part: Buffer) => guard(fail, () => keep(part)));
    stream?.on('error', () => {});
  }
  return () => Buffer.concat(parts).toString('utf8');
}

function signalGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The process group has ended already.
  }
}
