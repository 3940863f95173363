// The ids SQLite has given out, and raising them so that the next ones come above.

import type { DatabaseSync } from 'node:sqlite';
import type { Ids } from '../backup/high-water.ts';

/** The ids as of each call; prepared once, because the writer asks at every commit. */
export function idReader(db: DatabaseSync): () => Ids {
  const select = db.prepare('SELECT name, seq FROM sqlite_sequence');
  return () => Object.fromEntries(select.all().map(({ name, seq }) => [String(name), Number(seq)]));
}

/** SQLite makes its table of sequences together with the first table that needs one. */
export function readIds(db: DatabaseSync): Ids {
  return hasTable(db, 'sqlite_sequence') ? idReader(db)() : {};
}

/** Ids go on above `ids`, for the tables there are; none is ever lowered. */
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
