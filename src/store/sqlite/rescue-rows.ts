// Takes what is readable out of a damaged SQLite file: table by table, over the pages that cannot be read.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { BatchOfRows, backedUpTables, isBackedUp, type RowBatch, type Snapshot } from '../backup/format.ts';
import type { Schema } from '../schema.ts';
import type { SqlValue } from '../statement.ts';
import { asStartError, databaseFileName, openReadOnly, openUntouched, schemaVersion } from './database-file.ts';
import { readIds } from './issued-ids.ts';
import { nearestSafe } from './large-integers.ts';
import { isDamage } from './sqlite-errors.ts';

/** What could not be read of a table. */
export type Lost = { readonly table: string; readonly gaps: number };

/** Calls `use` with the rows that can be read; `onLost` is called for each table of which some cannot. */
export async function withRescuedRows<T>(
  folder: string,
  schema: Schema,
  use: (snapshot: Snapshot) => Promise<T>,
  onLost: (lost: Lost) => void,
): Promise<T> {
  const file = join(folder, databaseFileName);
  if (!existsSync(file)) throw new StartError(`There is no ${file} to rescue anything from.`, 'bad-usage');
  try {
    const db = existsSync(`${file}-wal`) ? openReadOnly(file) : openUntouched(file);
    try {
      return await use({
        database: 'sqlite',
        schemaVersion: schemaVersion(db),
        epoch: attempt(() => epochOf(db)) ?? '',
        ids: attempt(() => readIds(db)) ?? {},
        batches: readableRows(db, schema, onLost),
      });
    } finally {
      db.close();
    }
  } catch (error) {
    throw asStartError(error, folder);
  }
}

function epochOf(db: DatabaseSync): string {
  return String(db.prepare(`SELECT value FROM meta WHERE key = 'epoch'`).get()?.value ?? '');
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

async function* readableRows(db: DatabaseSync, schema: Schema, onLost: (lost: Lost) => void): AsyncGenerator<RowBatch> {
  const known = new Set(
    db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .all()
      .map(({ name }) => name),
  );
  for (const table of backedUpTables(schema).filter((name) => known.has(name))) {
    const all = db.prepare(`SELECT * FROM ${table} LIMIT 0`).columns();
    const columns = all.map(({ name }) => name).filter((column) => isBackedUp(schema, table, column));
    const batch = new BatchOfRows();
    let gaps = 0;
    for (const row of rowsOver(db, table, columns, () => gaps++))
      if (batch.add(row)) yield { table, columns, rows: batch.take() };
    yield { table, columns, rows: batch.take() };
    if (gaps > 0) onLost({ table, gaps });
  }
}

/** Doubles as long as the next row is on a page that cannot be read either. */
const firstSkip = 1;

/** Yields the rows in the order of their ids, and after one that cannot be read goes on behind it. */
function* rowsOver(
  db: DatabaseSync,
  table: string,
  columns: readonly string[],
  onGap: () => void,
): Generator<readonly SqlValue[]> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const rowId = attempt(() => db.prepare(`SELECT rowid FROM ${table} LIMIT 0`)) === undefined ? undefined : 'rowid';
  // A table that is its own key has no row ids to go on by: what comes before the damage is taken.
  const text =
    rowId === undefined
      ? `SELECT ${names} FROM ${table}`
      : `SELECT ${names}, rowid FROM ${table} NOT INDEXED WHERE rowid > ? ORDER BY rowid`;
  const last = rowId === undefined ? 0 : highestRowId(db, table);
  for (let [after, skip] = [minRowId, firstSkip]; ; ) {
    try {
      const select = db.prepare(text);
      select.setReturnArrays(true);
      select.setReadBigInts(true);
      for (const row of rowId === undefined ? select.iterate() : select.iterate(after)) {
        const values = (row as unknown as readonly unknown[]).map(nearestSafe) as SqlValue[];
        if (rowId !== undefined) after = Number(values.pop());
        skip = firstSkip;
        yield values;
      }
      return;
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (skip === firstSkip) onGap();
      if (rowId === undefined || after + skip > last) return;
      after += skip;
      skip = Math.min(skip * 2, 1_000);
    }
  }
}

const minRowId = -1;

/** The highest row id; of a table whose end cannot be read, more than any that it may have. */
function highestRowId(db: DatabaseSync, table: string): number {
  const given = attempt(() => db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq);
  const found = attempt(() => db.prepare(`SELECT max(rowid) AS last FROM ${table}`).get()?.last);
  return Number(found ?? given ?? 10_000_000);
}
