// Starts the server as a process of its own, for tests that kill it, trace it or check how it ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { until } from '../until.ts';
import { mainFile } from './built-server.ts';

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** Everything it wrote so far. */
  output(): string;
  /** Sends the signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<Ended>;
};

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly output: string };

type SpawnOptions = {
  /** Put before the command, such as `strace -f`. */
  readonly under?: readonly string[];
  readonly uid?: number;
  readonly words?: readonly string[];
};

/** Starts `tocsin serve` and returns when it is ready; throws with its output when it ended instead. */
export async function startServer(
  environment: Readonly<Record<string, string>>,
  options: SpawnOptions = {},
): Promise<ServerProcess> {
  const { child, ended, output } = launch(environment, options);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /ready at (\S+)/.exec(output());
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    void ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${output()}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    output,
    end(signal) {
      // Under another program the server is its child; the signal is sent to both.
      if (options.under !== undefined && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      return ended;
    },
  };
}

/** Starts `tocsin serve` and kills it as soon as the condition holds, ready or not. */
export async function killServerWhen(
  environment: Readonly<Record<string, string>>,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  await endWhen(environment, ['serve'], 'SIGKILL', holds);
}

/** Runs a command, sends it the signal as soon as `holds` does, and waits until it has ended. */
export async function endWhen(
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
  signal: NodeJS.Signals,
  holds: () => boolean | Promise<boolean>,
): Promise<Ended> {
  const { child, ended } = launch(environment, { words });
  await until(holds, Boolean);
  child.kill(signal);
  return ended;
}

/** Runs a command of the program until it ends. */
export function runTocsin(
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
  options: SpawnOptions = {},
): Promise<Ended> {
  return launch(environment, { ...options, words }).ended;
}

function launch(environment: Readonly<Record<string, string>>, { under = [], uid, words = ['serve'] }: SpawnOptions) {
  const [program = process.execPath, ...args] = [...under, process.execPath, mainFile, ...words];
  const child: ChildProcess = spawn(program, args, {
    env: { PATH: process.env.PATH, ...compileCache(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: under.length > 0,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, output: text })),
  );
  return { child, ended, output: () => text };
}

function compileCache(): Record<string, string> {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
