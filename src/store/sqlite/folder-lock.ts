// Locks a data folder against a second server; the operating system releases the lock when the process dies.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { createPrivate } from '../private-file.ts';
import { sqliteCode } from './sqlite-errors.ts';

export type FolderLock = {
  /**
   * Identifies this lock file since the machine was started: equal for all processes that have held this lock and for
   * no other. The current holder knows that the earlier ones have ended. Undefined where the system has no boot id.
   */
  readonly lineage: string | undefined;
  release(): void;
};

/** Node has no file locks of its own, so the lock is a write transaction held open on an otherwise empty SQLite file. */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'server.lock');
  let db: DatabaseSync | undefined;
  try {
    if (!existsSync(file)) createPrivate(file);
    db = new DatabaseSync(file, { timeout: 0 });
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
  return { lineage: lineageOf(file), release: () => held.close() };
}

/**
 * Combines the boot id with the identity of the lock file. A copy of the folder, here or on another machine, is another
 * file or another boot; nothing stored in the folder could tell them apart.
 */
function lineageOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    const system = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return createHash('sha256').update(`${system} ${dev} ${ino}`).digest('hex').slice(0, 16);
  } catch {
    return undefined;
  }
}
