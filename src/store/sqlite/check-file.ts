// Checks a large SQLite file beside the server that uses it, so that its start does not wait for that.

import { checkWord } from '../threads/check-process.ts';
import type { FromWorker } from '../threads/thread-messages.ts';
import { openReadOnly } from './database-file.ts';
import { isDamage } from './sqlite-errors.ts';

type Answer = { postMessage(message: FromWorker): void; close(): void };

/** Tells over `port` whether the file is damaged. */
export function serveChecker(port: Answer, file: string): void {
  try {
    port.postMessage({ kind: 'checked', problem: damageIn(file) });
  } finally {
    port.close();
  }
}

/** Returns what is wrong with the file. */
function damageIn(file: string): string | undefined {
  const db = openReadOnly(file);
  try {
    const verdict = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    return verdict === 'ok' ? undefined : verdict;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    db.close();
  }
}

/** Checks the file if this process was started for that. */
export function serveCheckProcess(): void {
  const [, , word, file] = process.argv;
  if (word !== checkWord || file === undefined || process.send === undefined) return;
  // A server that was killed meanwhile hears nothing any more.
  const send = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {});
  serveChecker({ postMessage: send, close: () => process.disconnect() }, file);
}
