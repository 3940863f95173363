// Takes what is readable out of a damaged SQLite file: table by table, over the pages that cannot be read.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../../errors.ts';
import { BatchOfRows, backedUpTables, isBackedUp, type RowBatch, type Snapshot } from '../../backup/format.ts';
import type { Schema } from '../../schema.ts';
import { asStartError, databaseFileName, openReadOnly, openUntouched, schemaVersion } from '../database-file.ts';
import { readIds } from '../issued-ids.ts';
import { type Lost, readableRows } from './readable-rows.ts';
import { type Repaired, RescuedReferences } from './rescued-references.ts';

/** Told of what is not in the rescued rows as it was. */
type Listener = {
  /** Called for each table of which some rows cannot be read. */
  readonly onLost: (lost: Lost) => void;
  /** Called at the end, for the rows that referred to some that were lost. */
  readonly onRepaired: (repaired: readonly Repaired[]) => void;
};

/** Calls `use` with the rows that can be read. */
export async function withRescuedRows<T>(
  folder: string,
  schema: Schema,
  use: (snapshot: Snapshot) => Promise<T>,
  listener: Listener,
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
        batches: readableTables(db, schema, listener),
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

async function* readableTables(
  db: DatabaseSync,
  schema: Schema,
  { onLost, onRepaired }: Listener,
): AsyncGenerator<RowBatch> {
  const known = new Set(
    db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .all()
      .map(({ name }) => name),
  );
  const tables = backedUpTables(schema).filter((name) => known.has(name));
  const references = new RescuedReferences(db, tables, schema);
  for (const table of tables) {
    const all = db.prepare(`SELECT * FROM ${table} LIMIT 0`).columns();
    const columns = all.map(({ name }) => name).filter((column) => isBackedUp(schema, table, column));
    const batch = new BatchOfRows();
    const rows = readableRows(db, table, columns);
    let next = rows.next();
    for (; !next.done; next = rows.next()) {
      const row = references.keep(table, columns, next.value);
      if (row !== undefined && batch.add(row)) yield { table, columns, rows: batch.take() };
    }
    const lost = next.value;
    for (const row of lost === undefined ? [] : references.standIns(table, columns))
      if (batch.add(row)) yield { table, columns, rows: batch.take() };
    yield { table, columns, rows: batch.take() };
    if (lost !== undefined) onLost(lost);
  }
  onRepaired(references.repaired);
}
