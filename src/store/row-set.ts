// Writes many rows of one table: step by step on SQLite, where a step is cheap, as one statement on PostgreSQL, where a
// round trip is dear.

import type { CompiledStatement, DatabaseKind, SqlValue } from './statement.ts';
import { compiledStatement, Placeholder } from './statement.ts';
import type { Tables } from './tables.ts';

type ColumnType = 'int' | 'text';
type Columns<T extends keyof Tables> = { readonly [K in keyof Tables[T]]?: ColumnType };
type RowOf<C> = { readonly [K in keyof C]: (C[K] extends 'int' ? number : string) | null };

export type Row = Readonly<Record<string, SqlValue>>;

/** On SQLite the statement takes the columns of one row; on PostgreSQL one parameter, the rows as JSON. */
export type RowSet<R extends Row> = {
  compiledFor(kind: DatabaseKind): CompiledStatement;
  /** The rows as PostgreSQL gets them. */
  toJson(rows: readonly R[]): string;
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
  let toJson: ((rows: readonly R[]) => string) | undefined;
  return {
    toJson(rows) {
      toJson ??= jsonMaker(shape.columns);
      return toJson(rows);
    },
    compiledFor(kind) {
      compiled[kind] ??=
        kind === 'sqlite'
          ? compiledStatement(
              shape.sqlite,
              shape.order.map((column) => new Placeholder(column)),
              true,
            )
          : compiledStatement(shape.postgres(recordset(shape.columns)), [new Placeholder('rows')], true);
      return compiled[kind];
    },
  };
}

/** The columns have short names in JSON, for PostgreSQL reads the name of each in each row. */
function recordset(columns: Readonly<Record<string, ColumnType>>): string {
  const types = Object.values(columns).map((type, place) => `c${place} ${type === 'int' ? 'bigint' : 'text'}`);
  const names = Object.keys(columns).map((column, place) => `c${place} as ${column}`);
  return `(select ${names.join(', ')} from json_to_recordset($1::json) as given (${types.join(', ')})) as new_row`;
}

/** Leaves out what is null, which is a third of what an alarm has: PostgreSQL takes what is not there for null. */
function jsonMaker(columns: Readonly<Record<string, ColumnType>>): (rows: readonly Row[]) => string {
  const parts = Object.entries(columns).map(([column, type], place) => {
    const value = `row[${JSON.stringify(column)}]`;
    return `if (${value} != null) json += ',"c${place}":' + ${type === 'int' ? value : `quote(${value})`};`;
  });
  const jsonOf = new Function('row', 'quote', `let json = ''; ${parts.join(' ')} return json;`);
  return (rows) => {
    let json = '';
    for (const row of rows) json += `${json === '' ? '[' : ','}{${String(jsonOf(row, JSON.stringify)).slice(1)}}`;
    return `${json}]`;
  };
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
