// Reads a consistent snapshot of a SQLite database row by row while a server may be writing to it.

import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import {
  BatchOfRows,
  backedUpTables,
  isBackedUp,
  nothingToBackUp,
  type RowBatch,
  type Snapshot,
} from '../backup/format.ts';
import type { Schema } from '../schema.ts';
import type { SqlValue } from '../statement.ts';
import {
  asStartError,
  checkDatabase,
  databaseFileName,
  isEmptyStore,
  openUntouched,
  schemaVersion,
} from './database-file.ts';
import { hasTable, readIds } from './issued-ids.ts';
import { iterateAll } from './large-integers.ts';
import { forgetCrash, lacksWal } from './open-marker.ts';

export async function withSqliteSnapshot<T>(
  folder: string,
  schema: Schema,
  use: (snapshot: Snapshot) => Promise<T>,
  onNotice: (sentence: string) => void,
): Promise<T> {
  const file = join(folder, databaseFileName);
  if (!existsSync(file)) throw nothingToBackUp();
  try {
    const isIncomplete = lacksWal(file);
    if (isIncomplete) onNotice(withoutNewest(file));
    if (isAtRest(file) && !isWritable(file)) return await readAtRest(file, schema, use, isIncomplete);
    checkDatabase(file, schema);
    return await read(openForBackup(file, !isIncomplete), schema, use);
  } catch (error) {
    throw asStartError(error, folder);
  }
}

/** Whether all is in the file itself, as after a clean stop. */
function isAtRest(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Whether SQLite could write beside the file, as it does to read it: not on a disk that is full or may not be written. */
function isWritable(file: string): boolean {
  const probe = `${file}.probe-${process.pid}`;
  try {
    // As much as the index of a -wal file.
    writeFileSync(probe, Buffer.alloc(32_768), { mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Reads a file beside which nothing can be written, and makes sure that nobody else has begun to use it meanwhile. */
async function readAtRest<T>(
  file: string,
  schema: Schema,
  use: (snapshot: Snapshot) => Promise<T>,
  isIncomplete: boolean,
): Promise<T> {
  const stateOf = (): string => `${statSync(file).mtimeMs} ${statSync(file).size}`;
  const before = stateOf();
  if (!isIncomplete) checkDatabase(file, schema, { open: openUntouched });
  const result = await read(openUntouched(file), schema, use);
  if (stateOf() === before && isAtRest(file)) return result;
  throw new StartError(
    `A server began to use ${file} while it was backed up: make the backup again.`,
    'already-running',
  );
}

// Not opened read-only: a read-only connection cannot remove the -wal and -shm files it creates, which would then
// belong to the user who ran the backup and block the server.
function openForBackup(file: string, isComplete: boolean): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  if (isComplete) forgetCrash(db, dirname(file), false);
  return db;
}

function withoutNewest(file: string): string {
  return `${file} lacks its newest data, which was in ${file}-wal: this backup holds what is left.`;
}

async function read<T>(db: DatabaseSync, schema: Schema, use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  try {
    db.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; BEGIN');
    if (isEmptyStore(db, schema)) throw nothingToBackUp();
    return await use({
      database: 'sqlite',
      schemaVersion: schemaVersion(db),
      epoch: epochOf(db),
      ids: readIds(db),
      batches: readTables(db, schema),
    });
  } finally {
    db.close();
  }
}

function epochOf(db: DatabaseSync): string {
  return String(db.prepare(`SELECT value FROM meta WHERE key = 'epoch'`).get()?.value ?? '');
}

/** Reads every table. A database created by an older Tocsin may lack some of them. */
async function* readTables(db: DatabaseSync, schema: Schema): AsyncGenerator<RowBatch> {
  for (const table of backedUpTables(schema).filter((name) => hasTable(db, name))) {
    const all = db.prepare(`SELECT * FROM ${table}`).columns();
    const columns = all.map(({ name }) => name).filter((column) => isBackedUp(schema, table, column));
    const select = db.prepare(`SELECT ${columns.map((column) => `"${column}"`).join(', ')} FROM ${table}`);
    select.setReturnArrays(true);
    const batch = new BatchOfRows();
    for (const row of iterateAll<readonly SqlValue[]>(select)) {
      if (batch.add(row)) yield { table, columns, rows: batch.take() };
    }
    yield { table, columns, rows: batch.take() };
  }
}
