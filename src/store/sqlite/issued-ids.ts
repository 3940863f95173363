// Reads the ids SQLite has assigned, and raises its sequences so that later ids are higher.

import type { DatabaseSync } from 'node:sqlite';
import type { Ids } from '../backup/high-water.ts';

/** Returns a function that reads the current ids; prepared once, because the writer calls it at every commit. */
export function idReader(db: DatabaseSync): () => Ids {
  const select = db.prepare('SELECT name, seq FROM sqlite_sequence');
  return () => Object.fromEntries(select.all().map(({ name, seq }) => [String(name), Number(seq)]));
}

/** SQLite creates sqlite_sequence together with the first table that needs it. */
export function readIds(db: DatabaseSync): Ids {
  return hasTable(db, 'sqlite_sequence') ? idReader(db)() : {};
}

/** Raises the sequences of the existing tables to at least `ids`; never lowers one. */
export function raiseIds(db: DatabaseSync, ids: Ids): void {
  const present = readIds(db);
  const remove = db.prepare('DELETE FROM sqlite_sequence WHERE name = ?');
  const insert = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  for (const [table, id] of Object.entries(ids)) {
    if (id <= (present[table] ?? 0) || !hasTable(db, table)) continue;
    remove.run(table);
    insert.run(table, id);
  }
}

export function hasTable(db: DatabaseSync, table: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined;
}
