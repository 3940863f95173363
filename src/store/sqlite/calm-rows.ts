// What the only writer has read of tables that seldom change: every set of reports asks the same of them again.

import type { CompiledStatement, SqlValue } from '../statement.ts';

type Rows = readonly object[];

/** None of them changes because another table does: nothing they refer to is deleted with them in its train. */
const calmTables: ReadonlySet<string> = new Set([
  'call_groups',
  'data_servers',
  'media',
  'meta',
  'tag_groups',
  'users',
]);

const tables = /\b(?:from|join|into|update)\s+"?(\w+)"?/gi;

/** Enough for what a plant's reports ask; a client that names a thousand things in turn asks the database. */
const mostKept = 1_000;

/** Whether all that a statement reads is of those tables. */
export function readsCalmly({ text, writes }: CompiledStatement): boolean {
  return !writes && tablesOf(text).every((table) => calmTables.has(table) || table === 'json_each');
}

/** Whether a statement may change what is kept. */
export function stirs({ text, writes }: CompiledStatement): boolean {
  return writes && tablesOf(text).some((table) => calmTables.has(table));
}

function tablesOf(text: string): readonly string[] {
  return [...text.matchAll(tables)].map(([, table = '']) => table.toLowerCase());
}

/** Forgets everything when something of it may have changed, or be undone. */
export class CalmRows {
  readonly #kept = new Map<string, Rows>();

  /** The rows, as they are known or as `read` finds them. */
  get(statement: string, values: readonly SqlValue[], read: () => Rows): Rows {
    const name = `${statement} ${JSON.stringify(values)}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const rows = read();
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(name, rows);
    return rows;
  }

  forget(): void {
    this.#kept.clear();
  }
}
