// Writes many rows of one table: step by step on SQLite, where a step is cheap, as one statement on PostgreSQL, where a
// round trip is dear.

import type { CompiledStatement, DatabaseKind, SqlValue } from './statement.ts';
import { compiledStatement, Placeholder } from './statement.ts';
import type { Tables } from './tables.ts';

type ColumnType = 'int' | 'text';
type Columns<T extends keyof Tables> = { readonly [K in keyof Tables[T]]?: ColumnType };
type RowOf<C> = { readonly [K in keyof C]: (C[K] extends 'int' ? number : string) | null };

export type Row = Readonly<Record<string, SqlValue>>;

/** A column of a set. */
export type RowColumn = {
  readonly name: string;
  readonly type: ColumnType;
  readonly valueIn: (row: Row) => SqlValue | undefined;
};

/** On SQLite the statement takes the columns of one row; on PostgreSQL an array for each of the columns. */
export type RowSet<R extends Row> = {
  compiledFor(kind: DatabaseKind): CompiledStatement;
  /** In the order of PostgreSQL's parameters. */
  readonly columns: readonly RowColumn[];
  /** Only carries the type; never set. */
  readonly row?: R;
};

/** What a set is made of, as text: the same words on both databases, only the source of the rows differs. */
type Shape = {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly sqlite: string;
  readonly postgres: (rows: string) => string;
  /** The columns in the order of SQLite's parameters. */
  readonly order: readonly string[];
};

function rowSet<R extends Row>(shape: Shape): RowSet<R> {
  const compiled: Partial<Record<DatabaseKind, CompiledStatement>> = {};
  const columns = Object.entries(shape.columns).map(([name, type]) => ({ name, type, valueIn: readerOf(name) }));
  return {
    columns,
    compiledFor(kind) {
      const { sqlite, postgres, order } = shape;
      compiled[kind] ??=
        kind === 'sqlite'
          ? compiledStatement(sqlite, placeholdersOf(order), true)
          : compiledStatement(postgres(arrays(columns)), placeholdersOf(Object.keys(shape.columns)), true);
      return compiled[kind];
    },
  };
}

/** A function of its own for each column: one for all that is given the name would look it up in every row. */
function readerOf(name: string): RowColumn['valueIn'] {
  return new Function('row', `return row[${JSON.stringify(name)}];`) as RowColumn['valueIn'];
}

function placeholdersOf(names: readonly string[]): readonly Placeholder[] {
  return names.map((name) => new Placeholder(name));
}

function arrays(columns: readonly RowColumn[]): string {
  const given = columns.map(({ type }, place) => `$${place + 1}::${type === 'int' ? 'bigint' : 'text'}[]`);
  return `unnest(${given.join(', ')}) as new_row (${columns.map(({ name }) => name).join(', ')})`;
}

/** `onSqlite` are the names that columns have there, where those are others. */
export function insertRows<T extends keyof Tables & string, const C extends Columns<T>>(
  table: T,
  columns: C,
  onSqlite: Readonly<Record<string, string>> = {},
): RowSet<RowOf<C>> {
  const order = Object.keys(columns);
  const into = (names: readonly string[]): string => `insert into ${table} (${names.join(', ')})`;
  return rowSet({
    columns: columns as Record<string, ColumnType>,
    order,
    sqlite: `${into(order.map((name) => onSqlite[name] ?? name))} values (${order.map(() => '?').join(', ')})`,
    postgres: (rows) => `${into(order)} select ${order.join(', ')} from ${rows}`,
  });
}

/** Sets the columns of the rows found by their key. */
export function updateRows<T extends keyof Tables & string, const K extends Columns<T>, const C extends Columns<T>>(
  table: T,
  key: K,
  columns: C,
): RowSet<RowOf<K & C>> {
  const keys = Object.keys(key);
  const set = Object.keys(columns);
  return rowSet({
    columns: { ...key, ...columns } as Record<string, ColumnType>,
    order: [...set, ...keys],
    sqlite: `update ${table} set ${set.map((column) => `${column} = ?`).join(', ')}
      where ${keys.map((column) => `${column} = ?`).join(' and ')}`,
    postgres: (rows) => `update ${table} set ${set.map((column) => `${column} = new_row.${column}`).join(', ')}
      from ${rows} where ${keys.map((column) => `${table}.${column} = new_row.${column}`).join(' and ')}`,
  });
}

export function deleteRows<T extends keyof Tables & string, const K extends Columns<T>>(
  table: T,
  key: K,
): RowSet<RowOf<K>> {
  const keys = Object.keys(key);
  return rowSet({
    columns: key as Record<string, ColumnType>,
    order: keys,
    sqlite: `delete from ${table} where ${keys.map((column) => `${column} = ?`).join(' and ')}`,
    postgres: (rows) =>
      `delete from ${table} using ${rows} where ${keys.map((column) => `${table}.${column} = new_row.${column}`).join(' and ')}`,
  });
}

type Merge = 'sum' | 'least' | 'greatest';

/**
 * Adds to the row of a key, or makes it. Each key may occur once; give the rows in the order of their keys, so that two
 * nodes that add to the same ones never wait for each other crosswise.
 */
export function addRows<
  T extends keyof Tables & string,
  const K extends Columns<T>,
  const C extends { readonly [N in keyof Tables[T]]?: Merge },
>(table: T, key: K, merged: C): RowSet<RowOf<K> & { readonly [N in keyof C]: number | null }> {
  const numbers = Object.keys(merged).map((column) => [column, 'int'] as const);
  const columns = { ...(key as Record<string, ColumnType>), ...Object.fromEntries(numbers) };
  const order = Object.keys(columns);
  const into = `insert into ${table} (${order.join(', ')})`;
  const conflict = (least: string, greatest: string): string => {
    const words = { least, greatest };
    const set = Object.entries(merged as Record<string, Merge>).map(([column, how]) =>
      how === 'sum'
        ? `${column} = ${table}.${column} + excluded.${column}`
        : `${column} = ${words[how]}(${table}.${column}, excluded.${column})`,
    );
    return `on conflict (${Object.keys(key).join(', ')}) do update set ${set.join(', ')}`;
  };
  return rowSet({
    columns,
    order,
    sqlite: `${into} values (${order.map(() => '?').join(', ')}) ${conflict('min', 'max')}`,
    postgres: (rows) => `${into} select ${order.join(', ')} from ${rows} ${conflict('least', 'greatest')}`,
  });
}
