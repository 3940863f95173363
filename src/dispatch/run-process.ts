// Runs one script: no shell, one argument, an empty environment, a folder of its own, and a process group that ends with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { plainPath, type ScriptOrder } from '../domain/script.ts';

/** Whom scripts run as, where that is somebody else than the server. */
export type ScriptUser = { readonly uid: number; readonly gid: number };

export type ScriptEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it could not be begun. */
  readonly trouble: string | undefined;
  readonly output: string;
};

export type RunningScript = {
  readonly ended: Promise<ScriptEnd>;
  /** Signals the script and all it has started. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
};

const mostOutput = 65_536;
/** What the group wrote before it was killed comes in no time; somebody who left the group may hold the line for ever. */
const lastWordsMs = 500;

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
    // A group of its own, so that all of it can be ended.
    detached: true,
    ...user,
  });
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => signalGroup(child, name);
  const ended = watch(child).finally(() => tidy(cwd));
  return { ended, signal };
}

/** What became of the script counts, also where its folder cannot be removed. */
async function tidy(folder: string): Promise<void> {
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
  // Nothing of it outlives it.
  signalGroup(child, 'SIGKILL');
  const noMore = new AbortController();
  await Promise.race([closed, pause(lastWordsMs, undefined, { signal: noMore.signal }).catch(() => undefined)]);
  noMore.abort();
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  return { ...end, output: output() };
}

/** The beginning of what it writes. The rest is read and dropped: a script that is cut off in the middle is worse. */
function collect(child: ChildProcess): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      if (size < mostOutput) parts.push(part.subarray(0, mostOutput - size));
      size += part.length;
    });
    stream?.on('error', () => {});
  }
  return () => Buffer.concat(parts).toString('utf8');
}

function signalGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // Nobody of it is left.
  }
}
