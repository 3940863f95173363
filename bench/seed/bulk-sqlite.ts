// Loads rows into a SQLite file fast: without a journal on disk, because an incomplete file is discarded.

import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { type BulkLoader, bulkTables } from './bulk.ts';

const rowsPerTransaction = 200_000;

export function bulkSqlite(file: string): BulkLoader {
  const db = new DatabaseSync(file);
  db.exec(
    `PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -524288; PRAGMA temp_store = FILE`,
  );
  const indexes = dropIndexes(db);
  const prepared = new Map<string, StatementSync>();
  let rowsOpen = 0;
  db.exec('BEGIN');
  return {
    async insert(table, columns, rows) {
      let insert = prepared.get(table);
      if (insert === undefined) {
        insert = db.prepare(
          `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        );
        prepared.set(table, insert);
      }
      for (const row of rows) insert.run(...row);
      rowsOpen += rows.length;
      if (rowsOpen < rowsPerTransaction) return;
      db.exec('COMMIT; BEGIN');
      rowsOpen = 0;
    },
    async finish(onStep) {
      db.exec('COMMIT');
      for (const { name, sql } of indexes) {
        onStep(`index ${name}`);
        db.exec(sql);
      }
      onStep('statistics');
      db.exec('ANALYZE; PRAGMA journal_mode = WAL');
    },
    async close() {
      db.close();
    },
  };
}

function dropIndexes(db: DatabaseSync): readonly { name: string; sql: string }[] {
  const tables = bulkTables.map((table) => `'${table}'`).join(', ');
  const rows = db
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${tables})`)
    .all();
  const indexes = rows.map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  return indexes;
}
