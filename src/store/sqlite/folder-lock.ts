// Keeps a second server off the same data folder; the operating system frees the lock when the process dies.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { sqliteCode } from './sqlite-errors.ts';

export type FolderLock = { release(): void };

/** Node has no file locks of its own, so the lock is a write transaction held open on an otherwise empty SQLite file. */
export function lockFolder(folder: string): FolderLock {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 });
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (sqliteCode(error) === 'SQLITE_BUSY') {
      throw new StartError(
        `Another Tocsin is running on the data folder ${folder}: stop it first, or give this one a folder of its own with TOCSIN_DATA_DIR.`,
        'already-running',
      );
    }
    throw new StartError(
      `The data folder ${folder} cannot be written: give its user the right to, or choose another with TOCSIN_DATA_DIR.`,
      'cannot-write',
      error,
    );
  }
  const held = db;
  return { release: () => held.close() };
}
