// Runs programs to their end, and passes on the signals by which the tests are interrupted.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Outcome = { readonly passed: boolean; readonly output: string };
type Options = {
  readonly env?: NodeJS.ProcessEnv;
  /** Keeps its output instead of showing it. */
  readonly isQuiet?: boolean;
  /** Ends it after this time, and says which processes of tests were still running. */
  readonly limitMs?: number;
};
export type RunProgram = (program: string, args: readonly string[], options?: Options) => Promise<Outcome>;

const running = new Set<ChildProcess>();
let interruptedBy: NodeJS.Signals | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interruptedBy = signal;
    for (const child of running) child.kill(signal);
  });
}

export const runProgram: RunProgram = (program, args, { env = process.env, isQuiet = false, limitMs } = {}) => {
  if (interruptedBy !== undefined) return Promise.resolve({ passed: false, output: '' });
  const child = spawn(program, args, { cwd: root, env, stdio: isQuiet ? 'pipe' : 'inherit' });
  running.add(child);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
  const limit = limitMs === undefined ? undefined : setTimeout(() => endLate(child), limitMs);
  // A program that a test left behind may hold the output open for ever.
  child.on('exit', () => setTimeout(() => closeOutput(child), patienceMs).unref());
  return new Promise((done) => {
    child.on('error', (error) => done({ passed: false, output: error.message }));
    child.on('close', (code) => {
      clearTimeout(limit);
      running.delete(child);
      done({ passed: code === 0, output });
    });
  });
};

const patienceMs = 20_000;

function closeOutput({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

function endLate(child: ChildProcess): void {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,ppid,etimes,args'], { encoding: 'utf8' });
  const tests = stdout.split('\n').filter((line) => line.includes('.test.js'));
  console.log(`The tests take too long. Still running:\n${tests.join('\n')}`);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), patienceMs).unref();
}

export function isInterrupted(): boolean {
  return interruptedBy !== undefined;
}

/** Ends this process by the signal that interrupted it, if one did, so that a shell sees it. */
export function endIfInterrupted(): void {
  if (interruptedBy === undefined) return;
  process.removeAllListeners(interruptedBy);
  process.kill(process.pid, interruptedBy);
}
