// Marks a database as open, so that a copy of its file without the -wal file is recognised.
//
// While a server runs, and after a crash, the newest commits are in the -wal file. A copy of the database file alone
// passes every check and lacks them. So a server stores a row in the file before it accepts writes and removes it as its
// last write: a file with the row and without a -wal file is such a copy. The row names the file it was stored in,
// because after a crash any program that opens the database merges the -wal file into it and removes it: that file has
// the row and is complete.

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../errors.ts';
import { readHighWater, tablesSetBack } from '../backup/high-water.ts';
import { markerKey } from '../backup/restored-rows.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { hasTable, readIds } from './issued-ids.ts';

/**
 * Stores the row and moves it into the database file; the -wal file exists and has content from before that. FULL waits for
 * a reader that holds the checkpoint up; a backup that takes longer than the busy timeout leaves the row in the -wal file
 * until the next checkpoint.
 */
export function markOpen(db: DatabaseSync, file: string): void {
  const store = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = ?');
  const identity = identityOf(file);
  store.run(markerKey, identity, identity);
  db.exec('PRAGMA wal_checkpoint(FULL)');
}

export function unmarkOpen(db: DatabaseSync): void {
  db.prepare('DELETE FROM meta WHERE key = ?').run(markerKey);
}

/**
 * Removes the row that a crashed server left, before this process merges the -wal file. Leaves it while a server runs,
 * which the folder lock tells unless the caller holds it.
 */
export function forgetCrash(db: DatabaseSync, folder: string, hasLock: boolean): void {
  if (markerIn(db) === undefined) return;
  const lock = hasLock ? undefined : tryLock(folder);
  if (hasLock || lock !== undefined) unmarkOpen(db);
  lock?.release();
}

/** Returns undefined when a server runs, or when this user may not know. */
function tryLock(folder: string): FolderLock | undefined {
  try {
    return lockFolder(folder);
  } catch {
    return undefined;
  }
}

/** Refuses a database whose newest commits are missing. */
export function refuseWithoutWal(file: string): void {
  if (!lacksWal(file)) return;
  throw new StartError(
    `${file} lacks its newest data, which was in ${file}-wal: the file was copied from a running or crashed server without it, or it was removed. Put that file beside it, or copy the data with "tocsin backup FILE" where the server ran. If it is lost, "tocsin backup FILE" here and then "tocsin restore FILE --replace" go on with what is left. Nothing was changed.`,
    'data-unusable',
  );
}

/** Whether the newest commits are missing; false also for a file that cannot be read, which other checks refuse. */
export function lacksWal(file: string): boolean {
  // SQLite creates an empty -wal file when a copy is opened; one that a server used has at least a header.
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false;
  let db: DatabaseSync | undefined;
  try {
    // Opened as immutable, so that no -wal file is created.
    db = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true });
    const marker = markerIn(db);
    if (marker === undefined) return false;
    return marker !== identityOf(file) || tablesSetBack(readIds(db), readHighWater(dirname(file))).length > 0;
  } catch {
    return false;
  } finally {
    db?.close();
  }
}

/** Whether a server runs on the database, or crashed on it. */
export function isMarkedOpen(db: DatabaseSync): boolean {
  return markerIn(db) !== undefined;
}

function markerIn(db: DatabaseSync): unknown {
  if (!hasTable(db, 'meta')) return undefined;
  return db.prepare('SELECT value FROM meta WHERE key = ?').get(markerKey)?.value;
}

/** A copy has another inode or another time of birth; a renamed file keeps both. */
function identityOf(file: string): string {
  const { ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}
