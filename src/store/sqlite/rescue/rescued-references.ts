// Keeps the rows of a rescued file consistent: what belongs to a row that was lost is left out with it, other references to it are
// emptied, and rows of the tables that most others need get a stand-in.

import type { DatabaseSync } from 'node:sqlite';
import type { Schema } from '../../schema.ts';
import type { SqlValue } from '../../statement.ts';
import { readableRows } from './readable-rows.ts';

type Row = readonly SqlValue[];

/** Rows that were readable and could not be kept, or had to be made. */
export type Repaired = {
  readonly table: string;
  readonly what: 'left-out' | 'emptied' | 'stand-in';
  readonly rows: number;
};

type Reference = {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly key: string;
  /** What becomes of a row whose reference leads to nothing. */
  readonly remedy: 'left-out' | 'emptied';
};

export class RescuedReferences {
  readonly #db: DatabaseSync;
  readonly #byTable: ReadonlyMap<string, readonly Reference[]>;
  readonly #byParent: ReadonlyMap<string, readonly Reference[]>;
  readonly #withStandIns: readonly string[];
  /** By table: the values of its key in the rows that were kept. */
  readonly #kept = new Map<string, Set<SqlValue>>();
  readonly #counts = new Map<string, Repaired>();

  constructor(db: DatabaseSync, tables: readonly string[], { withStandIns }: Pick<Schema, 'withStandIns'>) {
    this.#db = db;
    this.#withStandIns = withStandIns;
    const references = tables.flatMap((table) => referencesOf(db, table));
    this.#byTable = Map.groupBy(references, ({ table }) => table);
    this.#byParent = Map.groupBy(references, ({ parent }) => parent);
  }

  get repaired(): readonly Repaired[] {
    return [...this.#counts.values()];
  }

  /** Returns the row as it is kept; undefined if it is left out. Tables come in the order of their references. */
  keep(table: string, columns: readonly string[], row: Row): Row | undefined {
    const kept = [...row];
    for (const { column, parent, remedy } of this.#byTable.get(table) ?? []) {
      const place = columns.indexOf(column);
      const value = kept[place] ?? null;
      if (value === null || parent === table || this.#keptOf(parent).has(value)) continue;
      this.#count(table, remedy);
      if (remedy === 'left-out') return undefined;
      kept[place] = null;
    }
    this.#note(table, columns, kept);
    return kept;
  }

  /** Returns the rows to add to a table that has lost some, in place of those that rows of other tables need. */
  standIns(table: string, columns: readonly string[]): readonly Row[] {
    if (!this.#withStandIns.includes(table)) return [];
    const needed = new Set<SqlValue>();
    for (const { table: child, column } of this.#byParent.get(table) ?? [])
      for (const [value = null] of readableRows(this.#db, child, [column])) if (value !== null) needed.add(value);
    const missing = [...needed].filter((value) => !this.#keptOf(table).has(value));
    const rows = missing.map((id) => columns.map((column) => this.#standInValue(table, column, id)));
    for (const row of rows) {
      this.#count(table, 'stand-in');
      this.#note(table, columns, row);
    }
    return rows;
  }

  #standInValue(table: string, column: string, id: SqlValue): SqlValue {
    if (column === 'id') return id;
    if (column === 'name') return `rescued ${id}`;
    const reference = this.#byTable.get(table)?.find((one) => one.column === column);
    if (reference !== undefined) return [...this.#keptOf(reference.parent)][0] ?? null;
    const { type, notnull } =
      this.#db.prepare('SELECT type, "notnull" FROM pragma_table_info(?) WHERE name = ?').get(table, column) ?? {};
    if (notnull !== 1) return null;
    return type === 'TEXT' ? '' : 0;
  }

  #note(table: string, columns: readonly string[], row: Row): void {
    const key = this.#byParent.get(table)?.[0]?.key;
    if (key !== undefined) this.#keptOf(table).add(row[columns.indexOf(key)] ?? null);
  }

  #keptOf(table: string): Set<SqlValue> {
    const kept = this.#kept.get(table) ?? new Set();
    this.#kept.set(table, kept);
    return kept;
  }

  #count(table: string, what: Repaired['what']): void {
    const key = `${table} ${what}`;
    this.#counts.set(key, { table, what, rows: (this.#counts.get(key)?.rows ?? 0) + 1 });
  }
}

function referencesOf(db: DatabaseSync, table: string): readonly Reference[] {
  const found = db
    .prepare(
      `SELECT reference."from" AS name, reference."table" AS parent, reference."to" AS key, on_delete, "notnull"
        FROM pragma_foreign_key_list(?) AS reference JOIN pragma_table_info(?) AS column ON column.name = reference."from"`,
    )
    .all(table, table);
  return found.map(({ name, parent, key, on_delete, notnull }) => ({
    ...{ table, column: String(name), parent: String(parent), key: String(key) },
    remedy: on_delete === 'CASCADE' || notnull === 1 ? 'left-out' : 'emptied',
  }));
}
