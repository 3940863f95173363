// Returns the tables that SQLite opens to execute a statement, from the program it compiles the statement to.

import type { DatabaseSync } from 'node:sqlite';

type OpenedTables = { readonly reads: readonly string[]; readonly writes: readonly string[] };

type Instruction = { readonly opcode: string; readonly p1: number; readonly p2: number; readonly p3: number };

/** The programs of foreign keys and cascades count too, unless `db` does not enforce foreign keys. */
export function openedTables(db: DatabaseSync, text: string): OpenedTables {
  const owners = new Map(
    db
      .prepare(`SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0`)
      .all()
      .map(({ rootpage, tbl_name }) => [Number(rootpage), String(tbl_name)]),
  );
  const program = db.prepare(`EXPLAIN ${text}`).all() as unknown as Instruction[];
  // The table that AUTOINCREMENT keeps its numbers in belongs to SQLite.
  const named = (pages: readonly number[]): string[] =>
    [...new Set(pages.map((page) => owners.get(page) ?? `page ${page}`))].filter((name) => name !== 'sqlite_sequence');
  // The third operand is the database; 0 is the main one, others hold temporary tables.
  const opened = (opcode: string) => program.filter((step) => step.opcode === opcode && step.p3 === 0);
  return {
    reads: named(opened('OpenRead').map(({ p2 }) => p2)),
    // `Clear` empties a whole table without opening it.
    writes: named([
      ...opened('OpenWrite').map(({ p2 }) => p2),
      ...program.filter(({ opcode, p2 }) => opcode === 'Clear' && p2 === 0).map(({ p1 }) => p1),
    ]),
  };
}
