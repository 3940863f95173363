// Creates, checks, migrates and opens the SQLite database file. Never recreates a damaged one.

import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../errors.ts';
import { syncFolder } from '../backup/durable-file.ts';
import { highWaterFile, readHighWater } from '../backup/high-water.ts';
import { wordsOf } from '../migration.ts';
import { createPrivate } from '../private-file.ts';
import { newestVersion, refuseVersion, type Schema, type SchemaChange, stepsFrom, upgradeNotice } from '../schema.ts';
import { copyBeforeUpgrade } from './copy-before-upgrade.ts';
import { forgetCrash, isMarkedOpen, refuseWithoutWal } from './open-marker.ts';
import { isDamage, sqliteCode } from './sqlite-errors.ts';

/** Marks the file as Tocsin's ("tcsn"), to recognise another program's database. */
const applicationId = 0x7463736e;

export const databaseFileName = 'tocsin.db';

/**
 * Opens for writing, with the durability every 200 relies on: a commit is synced before it returns. The WAL is
 * checkpointed every 64 MB instead of every 4 MB, so that pages that change often are copied once; this took a third
 * off the time of a commit under load. A server's writer leaves checkpoints to a WalCheckpointer. The cache is small
 * because SQLite searches all of it at each commit: with 64 MB that took 10 of the 143 µs of an alarm, with 16 MB next
 * to nothing, and no more pages are read.
 */
export function openWritable(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -16384;
    PRAGMA wal_autocheckpoint = 16384`);
  return db;
}

export function openReadOnly(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA cache_size = -65536');
  return db;
}

/**
 * Opens for reading without leaving a -wal or -shm file. If there is no -wal file, nobody else has the database open.
 */
export function openUntouched(file: string): DatabaseSync {
  if (existsSync(`${file}-wal`)) return openReadOnly(file);
  return new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true });
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw asStartError(error, folder);
  }
}

type PrepareOptions = MigrationOptions & { readonly schemaChange: SchemaChange };

/** Is checked in less than a second. */
const smallBytes = 100_000_000;

export type PreparedFile = {
  readonly file: string;
  /** Whether the whole file was checked. */
  readonly isChecked: boolean;
};

/**
 * Checks the database in `folder` and migrates it as far as `schemaChange` allows, creating one only where there never was
 * one. An older database is copied first. A large file is checked as a whole only after a crash and before it is migrated: that takes
 * many seconds.
 */
export async function prepareDatabase(
  folder: string,
  schema: Schema,
  { version = newestVersion(schema), onNotice = () => {}, hasLock = false, schemaChange }: PrepareOptions,
): Promise<PreparedFile> {
  const file = join(folder, databaseFileName);
  refuseOldSqlite(process.versions.sqlite ?? '0');
  try {
    let isChecked = true;
    if (existsSync(file)) {
      refuseWithoutWal(file);
      isChecked = statSync(file).size <= smallBytes || (hasLock && needsWholeCheck(file, version));
      checkDatabase(file, schema, { isWhole: isChecked });
    } else {
      refuseLostDatabase(file);
      await createDatabase(file);
    }
    const from = settleCrash(file, hasLock);
    refuseVersion(schema, from, schemaChange);
    if (from > 0 && from < version) await copyBeforeUpgrade(file, from, onNotice);
    migrate(file, schema, { version, onNotice });
    return { file, isChecked };
  } catch (error) {
    throw asStartError(error, folder);
  }
}

/** Whether a server crashed on the file, or it is about to be migrated. */
function needsWholeCheck(file: string, version: number): boolean {
  let db: DatabaseSync | undefined;
  try {
    db = openReadOnly(file);
    return isMarkedOpen(db) || schemaVersion(db) < version;
  } catch {
    // The check names what is wrong.
    return true;
  } finally {
    db?.close();
  }
}

/** Older versions can damage a WAL database when two connections checkpoint at once. */
const oldestSqlite = [3, 51, 3] as const;

export function refuseOldSqlite(version: string): void {
  const parts = version.split('.').map(Number);
  const first = oldestSqlite.findIndex((needed, index) => parts[index] !== needed);
  if (first === -1 || (parts[first] ?? 0) > (oldestSqlite[first] ?? 0)) return;
  throw new StartError(
    `This Node brings SQLite ${version}, which can damage a database; ${oldestSqlite.join('.')} is the oldest that is safe: get a newer Node 24 from https://nodejs.org.`,
    'bad-settings',
  );
}

/** Refuses to create a database where there was one before: an empty one would hide the loss. */
export function refuseLostDatabase(file: string): void {
  const folder = dirname(file);
  if (existsSync(highWaterFile(folder)) && readHighWater(folder)?.database !== 'postgres') {
    throw new StartError(
      `${file} is missing although Tocsin has stored there before: the database was lost, or its disk is not mounted. Put it back, restore a backup with "tocsin restore FILE", or remove ${highWaterFile(folder)} to begin anew.`,
      'data-unusable',
    );
  }
  if (existsSync(`${file}-wal`)) {
    throw new StartError(
      `${file} is missing although ${file}-wal is there: put the file back, or restore a backup with "tocsin restore FILE".`,
      'data-unusable',
    );
  }
}

export async function createDatabase(file: string): Promise<void> {
  // Created under another name and renamed when complete, so that the real name never holds a partial file.
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  createPrivate(temporary);
  const db = new DatabaseSync(temporary);
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = 0; VACUUM`);
  db.close();
  renameSync(temporary, file);
  await syncFolder(dirname(file));
}

/** Removes what a crashed server left, unless a server runs, and returns the version of the schema. */
function settleCrash(file: string, hasLock: boolean): number {
  const db = openWritable(file);
  try {
    forgetCrash(db, dirname(file), hasLock);
    return schemaVersion(db);
  } finally {
    db.close();
  }
}

type MigrationOptions = {
  /** The newest when it is not set. */
  readonly version?: number | undefined;
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** Whether the caller has locked the folder. */
  readonly hasLock?: boolean;
};

/** Migrates the file to `version`, each step in its own transaction. */
export function migrate(
  file: string,
  schema: Schema,
  { version = newestVersion(schema), onNotice = () => {} }: Omit<MigrationOptions, 'hasLock'> = {},
): void {
  const db = openWritable(file);
  try {
    const from = schemaVersion(db);
    const notice = upgradeNotice(from, version);
    if (notice !== undefined) onNotice(notice);
    for (const step of stepsFrom(schema, from)) {
      if (step.version > version) break;
      db.exec('BEGIN IMMEDIATE');
      for (const text of step.statements(wordsOf.sqlite)) db.exec(text);
      db.exec(`PRAGMA user_version = ${step.version}; COMMIT`);
    }
  } finally {
    db.close();
  }
}

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

/** Whether the store was never started. */
export function isEmptyStore(db: DatabaseSync, { filledAtStart }: Schema): boolean {
  const hasTable = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(filledAtStart) !== undefined;
  return !hasTable || db.prepare(`SELECT 1 FROM ${filledAtStart} LIMIT 1`).get() === undefined;
}

type Check = { readonly open?: typeof openReadOnly; readonly isWhole?: boolean };

/** Refuses a file that is not an intact Tocsin database, as far as its beginning tells if not as a whole; opens it only for reading. */
export function checkDatabase(file: string, schema: Schema, { open = openReadOnly, isWhole = true }: Check = {}): void {
  const advice = `Nothing was changed. Restore a backup with "tocsin restore FILE", or start in another folder with TOCSIN_DATA_DIR.`;
  if (statSync(file).size === 0 || !startsAsSqlite(file)) {
    throw new StartError(`${file} is not a Tocsin database: it is empty or not SQLite. ${advice}`, 'data-unusable');
  }
  const db = open(file);
  try {
    if (Number(db.prepare('PRAGMA application_id').get()?.application_id) !== applicationId) {
      throw new StartError(`${file} belongs to another program. ${advice}`, 'data-unusable');
    }
    stepsFrom(schema, schemaVersion(db));
    if (!isWhole) return;
    const verdict = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    if (verdict !== 'ok') throw new StartError(`${file} is damaged (${verdict}). ${advice}`, 'data-unusable');
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new StartError(`${file} is damaged. ${advice}`, 'data-unusable', error);
  } finally {
    db.close();
  }
}

function startsAsSqlite(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(16);
    readSync(descriptor, head, 0, 16, 0);
    return head.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(descriptor);
  }
}

export function asStartError(error: unknown, folder: string): Error {
  if (error instanceof StartError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['SQLITE_FULL', 'ENOSPC'].some((full) => full === sqliteCode(error) || full === code)) {
    return new StartError(
      `The disk that holds ${folder} is full: free some space and start again.`,
      'cannot-write',
      error,
    );
  }
  if (
    ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code) ||
    ['SQLITE_READONLY', 'SQLITE_CANTOPEN'].includes(sqliteCode(error))
  ) {
    return new StartError(
      `The data folder ${folder} cannot be written: give its user the right to, or choose another with TOCSIN_DATA_DIR.`,
      'cannot-write',
      error,
    );
  }
  if (isDamage(error)) {
    return new StartError(
      `The database in ${folder} is damaged: restore a backup with "tocsin restore FILE".`,
      'data-unusable',
      error,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
