// Restores into SQLite: fills a new file beside the old one and swaps them when it is complete.

import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { syncFolder } from '../backup/durable-file.ts';
import type { RowBatch } from '../backup/format.ts';
import { type RestoredContent, type RestoreTarget, whichRows } from '../backup/restore-target.ts';
import type { Schema } from '../schema.ts';
import {
  asStartError,
  checkDatabase,
  createDatabase,
  databaseFileName,
  isEmptyStore,
  makeFolder,
  migrate,
  openReadOnly,
  openWritable,
} from './database-file.ts';
import { lockFolder } from './folder-lock.ts';
import { hasTable, raiseIds, readIds } from './issued-ids.ts';
import { readAll } from './large-integers.ts';
import { PreparedConnection } from './prepared-connection.ts';

/** Keeps the -wal file small compared with the growing database. */
const batchesPerCommit = 40;

/** The files SQLite keeps beside a database file. */
const companions = ['-wal', '-shm'];

export function openSqliteTarget(folder: string, schema: Schema, now: () => number): RestoreTarget {
  makeFolder(folder);
  const lock = lockFolder(folder);
  const file = join(folder, databaseFileName);
  return {
    ...currentContent(file, schema),
    async load(content) {
      const temporary = `${file}.restoring`;
      await removeDatabase(temporary);
      try {
        await fill(temporary, schema, content);
      } catch (error) {
        await removeDatabase(temporary);
        throw asStartError(error, folder);
      }
      return swap(temporary, file, now());
    },
    close: async () => lock.release(),
  };
}

/** Treats a file that cannot be read as content, because somebody may still want to rescue it. */
function currentContent(file: string, schema: Schema): Pick<RestoreTarget, 'isEmpty' | 'ids' | 'rowsOf'> {
  const using = <T>(unreadable: T, read: (db: DatabaseSync) => T): T => {
    let db: DatabaseSync | undefined;
    try {
      db = openReadOnly(file);
      return read(db);
    } catch {
      return unreadable;
    } finally {
      db?.close();
    }
  };
  if (!existsSync(file)) return { isEmpty: true, ids: {}, rowsOf: async () => [] };
  return {
    ...using({ isEmpty: false, ids: {} }, (db) => ({ isEmpty: isEmptyStore(db, schema), ids: readIds(db) })),
    rowsOf: async (table, which = 'all') =>
      using([], (db) => {
        if (!hasTable(db, table)) return [];
        const select = db.prepare(`SELECT * FROM ${table}${whichRows(which, '?')}`);
        return readAll(select, () => select.all(...(typeof which === 'string' ? [] : [which.value])));
      }),
  };
}

async function removeDatabase(file: string): Promise<void> {
  for (const ending of ['', ...companions]) await rm(file + ending, { force: true });
}

async function fill(file: string, schema: Schema, content: RestoredContent): Promise<void> {
  const { schemaVersion, batches, epoch, ids, finish } = content;
  await createDatabase(file);
  migrate(file, schema, { version: schemaVersion });
  await insertAll(file, batches);
  migrate(file, schema);
  checkDatabase(file, schema);
  const db = openWritable(file);
  try {
    db.exec('BEGIN');
    // A store that was never started has no row to update; its first start inserts one.
    db.prepare(`UPDATE meta SET value = ? WHERE key = 'epoch'`).run(epoch);
    raiseIds(db, ids);
    await finish(new PreparedConnection(db).tx);
    db.exec('COMMIT');
  } finally {
    // Closing the last connection moves everything from the -wal file into the database.
    db.close();
  }
}

async function insertAll(file: string, batches: AsyncIterable<RowBatch>): Promise<void> {
  const db = openWritable(file);
  try {
    let insert: { table: string; statement: StatementSync } | undefined;
    let count = 0;
    db.exec('BEGIN');
    for await (const { table, columns, rows } of batches) {
      if (insert?.table !== table) insert = { table, statement: db.prepare(insertInto(table, columns)) };
      for (const row of rows) insert.statement.run(...row);
      if (++count % batchesPerCommit === 0) db.exec('COMMIT; BEGIN');
    }
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

function insertInto(table: string, columns: readonly string[]): string {
  const quoted = columns.map((column) => `"${column}"`).join(', ');
  return `INSERT INTO "${table}" (${quoted}) VALUES (${columns.map(() => '?').join(', ')})`;
}

/**
 * Moves the old file aside and the new one into place. If the process is killed in between, the folder has a high-water
 * mark but no database: Tocsin refuses to start there, and restoring again succeeds.
 */
async function swap(temporary: string, file: string, now: number): Promise<string | undefined> {
  const kept = `${file}.before-restore-${new Date(now).toISOString().replace(/[-:.]/g, '')}`;
  const hadOld = existsSync(file);
  if (hadOld) checkpoint(file);
  // The -wal file moves with its database: left behind, SQLite would apply it to the new one.
  for (const ending of ['', ...companions]) {
    if (existsSync(file + ending)) await rename(file + ending, kept + ending);
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
  return hadOld ? kept : undefined;
}

/** Merges the -wal file into the database. A damaged database keeps its -wal file for a later rescue. */
function checkpoint(file: string): void {
  try {
    const db = new DatabaseSync(file);
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
  } catch {
    // Both files are kept unchanged.
  }
}
