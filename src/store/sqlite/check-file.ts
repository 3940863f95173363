// Checks a large SQLite file beside the server that uses it, table by table, so that its start does not wait for that.

import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { FromWorker } from '../threads/thread-messages.ts';
import { openReadOnly } from './database-file.ts';
import { isDamage } from './sqlite-errors.ts';

/** Tells over `port` whether the file is damaged, unless it is told to close before. */
export function serveChecker(port: MessagePort, file: string): void {
  const send = (message: FromWorker): void => port.postMessage(message);
  send({ kind: 'ready' });
  try {
    const problem = damageIn(file, () => receiveMessageOnPort(port) !== undefined);
    if (problem !== 'unknown') send({ kind: 'checked', problem });
  } finally {
    port.close();
  }
}

/** Returns what is wrong with the file; `unknown` if it was told to stop. */
function damageIn(file: string, isStopped: () => boolean): string | undefined | 'unknown' {
  const db = openReadOnly(file);
  try {
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
    for (const { name } of tables) {
      if (isStopped()) return 'unknown';
      const verdict = String(db.prepare(`PRAGMA quick_check('${name}')`).get()?.quick_check);
      if (verdict !== 'ok') return verdict;
    }
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    db.close();
  }
}
