// Starts the process that checks a database file. Not a thread: while SQLite goes through a large table nothing ends a thread, and a
// stop of the server would wait for it.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromWorker } from './thread-messages.ts';

/** The first argument of a process that checks the file which the second one names. */
export const checkWord = 'check-file';

/** Starts `module`; any message to it ends it at once. */
export function startCheckProcess(module: URL, file: string) {
  const child = fork(fileURLToPath(module), [checkWord, file], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    on: (event: 'message' | 'error', listener: ((message: FromWorker) => void) | ((error: unknown) => void)) =>
      child.on(event, listener as (value: unknown) => void),
    once: (event: 'exit', listener: () => void) => child.once(event, listener),
    postMessage: () => void child.kill('SIGKILL'),
  };
}
