// Reads the rows of a table of a damaged SQLite file: all but those that cannot be read, each once.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqlValue } from '../../statement.ts';
import { nearestSafe } from '../large-integers.ts';
import { isUnreadable } from '../sqlite-errors.ts';

type Row = readonly SqlValue[];

/** What could not be read of a table. */
export type Lost = {
  readonly table: string;
  readonly gaps: number;
  /** How many ids lie on what cannot be read; undefined where rows have none, or nothing tells how many there were at the end. */
  readonly ids: number | undefined;
};

/** Yields the rows that can be read, in the order of their keys, and returns what was lost. */
export function* readableRows(
  db: DatabaseSync,
  table: string,
  columns: readonly string[],
): Generator<Row, Lost | undefined> {
  const key = keyOf(db, table);
  if (key === undefined) return yield* new RowsById(db, table, columns).read();
  return yield* rowsFromBothEnds(db, table, columns, key);
}

/** Returns the columns of the key that the rows are stored by, or undefined for a table whose rows have ids. */
function keyOf(db: DatabaseSync, table: string): readonly string[] | undefined {
  const { wr } = db.prepare(`SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?`).get(table) ?? {};
  if (wr !== 1) return undefined;
  const parts = db.prepare(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`).all(table);
  return parts.map(({ name }) => String(name));
}

const unreadable = Symbol('unreadable');

/** Returns what `read` returns, or `unreadable`. */
function attempt<T>(read: () => T): T | typeof unreadable {
  try {
    return read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return unreadable;
  }
}

/** Ids looked for one by one where nothing tells how many there were: Tocsin counts them from one. */
const unknownEnd = 10_000_000n;
/** Fewer than the ids of one page of such tables, whose rows are short. */
const idsPerPage = 64n;
/** A higher one comes from a damaged page: looking for it would take years. */
const highestId = 1_000_000_000n;

/**
 * Reads the rows in the order of their ids, and in a damaged table every id that this passes over by itself: a row is lost only if it
 * cannot be read by its id either. Ids only ever go up, whatever a damaged page says.
 */
class RowsById {
  readonly #table: string;
  readonly #behind: StatementSync;
  readonly #single: StatementSync;
  readonly #isWhole: boolean;
  readonly #end: bigint | undefined;
  readonly #isCounted: boolean;
  #isEndKnown: boolean;
  #ids = 0;
  #gaps = 0;
  #isInGap = false;
  #last = -1n;

  constructor(db: DatabaseSync, table: string, columns: readonly string[]) {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const prepare = (condition: string): StatementSync => {
      const statement = db.prepare(`SELECT ${names}, rowid FROM ${table} NOT INDEXED WHERE ${condition}`);
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      return statement;
    };
    this.#table = table;
    this.#behind = prepare('rowid > ? ORDER BY rowid');
    this.#single = prepare('rowid = ?');
    this.#isWhole = attempt(() => db.prepare(`PRAGMA quick_check('${table}')`).get()?.quick_check) === 'ok';
    const { end, isCounted } = endOf(db, table);
    this.#end = end;
    this.#isCounted = isCounted;
    this.#isEndKnown = end !== undefined;
  }

  *read(): Generator<Row, Lost | undefined> {
    const end = this.#end ?? (this.#isAnyPageReadable() ? unknownEnd : 0n);
    for (let isOver = false; !isOver; ) {
      isOver = yield* this.#readOn(end);
      // Behind the highest id that is known something is left that cannot be read.
      if (!isOver && this.#last >= end) this.#loseEnd();
      // Behind an id that cannot be read, or is out of order, one row is found by its id, and the rows after it again in one go.
      while (!isOver && this.#last < end) if (yield* this.#readSingle(this.#last + 1n)) break;
      isOver ||= this.#last >= end;
    }
    if (this.#gaps === 0) return undefined;
    return { table: this.#table, gaps: this.#gaps, ids: this.#isEndKnown ? this.#ids : undefined };
  }

  /** Whether looking for ids leads to any page that can be read: it does not when the first page of the table is damaged. */
  #isAnyPageReadable(): boolean {
    for (let id = 1n; id < unknownEnd; id += idsPerPage)
      if (attempt(() => this.#single.get(id)) !== unreadable) return true;
    return false;
  }

  /** Reads the rows behind the last one; returns whether that was all. */
  *#readOn(end: bigint): Generator<Row, boolean> {
    const rows = this.#behind.iterate(this.#last);
    try {
      for (let next = attempt(() => rows.next()); ; next = attempt(() => rows.next())) {
        if (next === unreadable) return false;
        const { id, row } = next.done ? { id: end + 1n, row: undefined } : splitRow(next.value);
        if (row !== undefined && id <= this.#last) return false;
        while (!this.#isWhole && this.#last + 1n < id && this.#last < end) yield* this.#readSingle(this.#last + 1n);
        if (row === undefined) return true;
        yield this.#take(id, row);
      }
    } finally {
      attempt(() => rows.return?.());
    }
  }

  /** Returns whether there was a row. */
  *#readSingle(id: bigint): Generator<Row, boolean> {
    const found = attempt(() => this.#single.get(id));
    this.#last = id;
    if (found === unreadable) this.#lose(id);
    if (found === unreadable || found === undefined) return false;
    yield this.#take(id, splitRow(found).row);
    return true;
  }

  #take(id: bigint, row: Row): Row {
    this.#last = id;
    this.#isInGap = false;
    return row;
  }

  #loseEnd(): void {
    this.#isEndKnown &&= this.#isCounted;
    if (!this.#isInGap) this.#gaps++;
    this.#isInGap = true;
  }

  #lose(id: bigint): void {
    // SQLite assigns ids from one; nothing is missed of a table that begins there.
    if (id > 0n) this.#ids++;
    if (!this.#isInGap) this.#gaps++;
    this.#isInGap = true;
  }
}

function splitRow(found: unknown): { readonly id: bigint; readonly row: Row } {
  const values = found as readonly unknown[];
  return { id: values.at(-1) as bigint, row: values.slice(0, -1).map(nearestSafe) as SqlValue[] };
}

type End = {
  /** The highest id that a table ever had; undefined where nothing tells. */
  readonly end: bigint | undefined;
  /** Whether the table counts its ids: none is behind the end. */
  readonly isCounted: boolean;
};

function endOf(db: DatabaseSync, table: string): End {
  const plausible = (id: bigint | undefined): bigint => (id === undefined || id > highestId ? -1n : id);
  const assigned = plausible(highest(db, 'SELECT seq FROM sqlite_sequence WHERE name = ?', table));
  const found = plausible(highest(db, `SELECT max(rowid) FROM ${table}`));
  const end = assigned > found ? assigned : found;
  return { end: end < 0n ? undefined : end, isCounted: assigned >= found && assigned >= 0n };
}

function highest(db: DatabaseSync, text: string, ...values: readonly string[]): bigint | undefined {
  const found = attempt(() => {
    const statement = db.prepare(text);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return statement.get(...values);
  });
  const [id] = (found === unreadable ? [] : (found ?? [])) as unknown as readonly unknown[];
  return typeof id === 'bigint' ? id : undefined;
}

/** Of a table without ids, what comes before the first and after the last damage is read: its keys cannot be counted through. */
function* rowsFromBothEnds(
  db: DatabaseSync,
  table: string,
  columns: readonly string[],
  key: readonly string[],
): Generator<Row, Lost | undefined> {
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
  const select = `SELECT ${quoted([...columns, ...key])} FROM ${table} NOT INDEXED`;
  const order = `ORDER BY ${quoted(key)}`;
  const start = yield* rowsInOrder(db.prepare(`${select} ${order}`), [], columns.length, 1);
  if (start.isWhole) return undefined;
  const behind = start.last.length === 0 ? '' : `WHERE (${quoted(key)}) > (${key.map(() => '?').join(', ')})`;
  const backwards = `${order.replaceAll(',', ' DESC,')} DESC`;
  yield* rowsInOrder(db.prepare(`${select} ${behind} ${backwards}`), start.last, columns.length, -1);
  return { table, gaps: 1, ids: undefined };
}

type Reached = { readonly isWhole: boolean; readonly last: readonly SqlValue[] };

function* rowsInOrder(
  select: StatementSync,
  after: readonly SqlValue[],
  width: number,
  direction: 1 | -1,
): Generator<Row, Reached> {
  select.setReturnArrays(true);
  select.setReadBigInts(true);
  const rows = select.iterate(...after);
  let last: readonly SqlValue[] = [];
  try {
    for (let next = attempt(() => rows.next()); ; next = attempt(() => rows.next())) {
      if (next === unreadable) return { isWhole: false, last };
      if (next.done) return { isWhole: true, last };
      const values = (next.value as unknown as readonly unknown[]).map(nearestSafe) as SqlValue[];
      const found = values.slice(width);
      if (last.length > 0 && compareKeys(found, last) * direction <= 0) return { isWhole: false, last };
      if (direction < 0 && after.length > 0 && compareKeys(found, after) <= 0) return { isWhole: false, last };
      last = found;
      yield values.slice(0, width);
    }
  } finally {
    attempt(() => rows.return?.());
  }
}

/** Compares as SQLite does: numbers before texts, texts by their bytes. */
function compareKeys(one: readonly SqlValue[], other: readonly SqlValue[]): number {
  for (const [index, value] of one.entries()) {
    const than = other[index] ?? null;
    if (value === than) continue;
    if (typeof value === 'string' && typeof than === 'string')
      return Buffer.compare(Buffer.from(value), Buffer.from(than));
    if (typeof value === 'number' && typeof than === 'number') return value - than;
    return typeof value === 'number' ? -1 : 1;
  }
  return 0;
}
