// Writes many rows of one table: row by row on SQLite, where a statement is cheap, and as one statement on PostgreSQL,
// where each round trip costs time.

import { propertyReader } from './compiled-shape.ts';
import { type Compilable, compiledStatement, declared, Placeholder, type SqlValue } from './statement.ts';
import type { Tables } from './tables.ts';

type ColumnType = 'int' | 'text';
type Columns<T extends keyof Tables> = { readonly [K in keyof Tables[T]]?: ColumnType };
type RowOf<C> = { readonly [K in keyof C]: (C[K] extends 'int' ? number : string) | null };

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A column the statement writes. */
export type RowColumn = {
  readonly name: string;
  readonly type: ColumnType;
  readonly valueIn: (row: SqlRow) => SqlValue | undefined;
};

/** A statement that takes the columns of one row on SQLite, and one array per column on PostgreSQL. */
export type RowStatement<R extends SqlRow> = Compilable & {
  /** The columns in the order of PostgreSQL's parameters. */
  readonly columns: readonly RowColumn[];
  /** Set for the statement that appends frequent events; see EventFeed. */
  readonly isFrequent?: true;
  /** Only carries the type; never set. */
  readonly row?: R;
};

/** The texts of a row statement: the same on both databases except for where the rows come from. */
type StatementTexts = {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly sqlite: string;
  readonly postgres: (rows: string) => string;
  /** The columns in the order of SQLite's parameters. */
  readonly order: readonly string[];
};

function rowStatement<R extends SqlRow>(texts: StatementTexts): RowStatement<R> {
  const tables = { reads: [], writes: [texts.table] };
  const columns = Object.entries(texts.columns).map(([name, type]) => ({
    name,
    type,
    valueIn: propertyReader<SqlValue>(name),
  }));
  const { sqlite, postgres, order } = texts;
  const statement = declared((kind) =>
    kind === 'sqlite'
      ? compiledStatement(sqlite, placeholdersOf(order), tables)
      : compiledStatement(postgres(arrays(columns)), placeholdersOf(Object.keys(texts.columns)), tables),
  );
  return { ...statement, columns };
}

function placeholdersOf(names: readonly string[]): readonly Placeholder[] {
  return names.map((name) => new Placeholder(name));
}

function arrays(columns: readonly RowColumn[]): string {
  const given = columns.map(({ type }, index) => `$${index + 1}::${type === 'int' ? 'bigint' : 'text'}[]`);
  return `unnest(${given.join(', ')}) as new_row (${columns.map(({ name }) => name).join(', ')})`;
}

type InsertOptions = {
  /** The names of columns that SQLite calls differently. */
  readonly onSqlite?: Readonly<Record<string, string>>;
  readonly isFrequent?: true;
};

/** Inserts rows. */
export function insertRows<T extends keyof Tables & string, const C extends Columns<T>>(
  table: T,
  columns: C,
  { onSqlite = {}, ...marks }: InsertOptions = {},
): RowStatement<RowOf<C>> {
  const order = Object.keys(columns);
  const into = (names: readonly string[]): string => `insert into ${table} (${names.join(', ')})`;
  const statement = rowStatement<RowOf<C>>({
    table,
    columns: columns as Record<string, ColumnType>,
    order,
    sqlite: `${into(order.map((name) => onSqlite[name] ?? name))} values (${order.map(() => '?').join(', ')})`,
    postgres: (rows) => `${into(order)} select ${order.join(', ')} from ${rows}`,
  });
  return { ...statement, ...marks };
}

/** Updates `columns` of the rows found by `key`. */
export function updateRows<T extends keyof Tables & string, const K extends Columns<T>, const C extends Columns<T>>(
  table: T,
  key: K,
  columns: C,
): RowStatement<RowOf<K & C>> {
  const keys = Object.keys(key);
  const set = Object.keys(columns);
  return rowStatement({
    table,
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
  { onSqlite = {} }: Pick<InsertOptions, 'onSqlite'> = {},
): RowStatement<RowOf<K>> {
  const keys = Object.keys(key);
  return rowStatement({
    table,
    columns: key as Record<string, ColumnType>,
    order: keys,
    sqlite: `delete from ${table} where ${keys.map((column) => `${onSqlite[column] ?? column} = ?`).join(' and ')}`,
    postgres: (rows) =>
      `delete from ${table} using ${rows} where ${keys.map((column) => `${table}.${column} = new_row.${column}`).join(' and ')}`,
  });
}

type Merge = 'sum' | 'least' | 'greatest';

/**
 * Merges values into the row of a key, or inserts it. Each key may occur once per batch. Pass the rows sorted by key,
 * so that two nodes that update the same rows cannot deadlock.
 */
export function addRows<
  T extends keyof Tables & string,
  const K extends Columns<T>,
  const C extends { readonly [N in keyof Tables[T]]?: Merge },
>(table: T, key: K, merged: C): RowStatement<RowOf<K> & { readonly [N in keyof C]: number | null }> {
  const numbers = Object.keys(merged).map((column) => [column, 'int'] as const);
  const columns = { ...(key as Record<string, ColumnType>), ...Object.fromEntries(numbers) };
  const order = Object.keys(columns);
  const into = `insert into ${table} (${order.join(', ')})`;
  const conflict = (least: string, greatest: string): string => {
    const functions = { least, greatest };
    const set = Object.entries(merged as Record<string, Merge>).map(([column, how]) =>
      how === 'sum'
        ? `${column} = ${table}.${column} + excluded.${column}`
        : `${column} = ${functions[how]}(${table}.${column}, excluded.${column})`,
    );
    return `on conflict (${Object.keys(key).join(', ')}) do update set ${set.join(', ')}`;
  };
  return rowStatement({
    table,
    columns,
    order,
    sqlite: `${into} values (${order.map(() => '?').join(', ')}) ${conflict('min', 'max')}`,
    postgres: (rows) => `${into} select ${order.join(', ')} from ${rows} ${conflict('least', 'greatest')}`,
  });
}
