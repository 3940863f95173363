// Reads the tables of a store over a connection of its own, with SQL that both databases understand.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { noTimeoutConfig } from '../../../src/store/postgres/prepared-connection.ts';
import type { Tables } from '../../../src/store/tables.ts';

type Environment = Readonly<Record<string, string>>;
type Selected<T> = { readonly [K in keyof T]: T[K] extends { readonly __select__: infer S } ? S : T[K] };
export type RowOf<T extends keyof Tables> = Selected<Tables[T]>;

export type TableReader = {
  all<T extends keyof Tables>(table: T): Promise<readonly RowOf<T>[]>;
  /** All rows as one text, also with values that no number can hold. */
  textOf(table: keyof Tables): Promise<string>;
  select(sql: string): Promise<readonly object[]>;
  run(sql: string): Promise<void>;
  close(): Promise<void>;
};

/** Connects to the store that a server with these settings uses. */
export async function tablesOf(environment: Environment): Promise<TableReader> {
  const url = environment.TOCSIN_DATABASE_URL;
  return url === undefined ? sqliteTables(environment.TOCSIN_DATA_DIR ?? '') : postgresTables(url);
}

function sqliteTables(folder: string): TableReader {
  const db = new DatabaseSync(join(folder, 'tocsin.db'), { timeout: 5_000 });
  return {
    all: async (table) => db.prepare(`SELECT * FROM ${table}`).all() as never,
    textOf: async (table) => {
      const rows = db.prepare(`SELECT * FROM ${table}`);
      rows.setReadBigInts(true);
      return JSON.stringify(rows.all(), (_, value) => (typeof value === 'bigint' ? String(value) : value));
    },
    select: async (sql) => db.prepare(sql).all(),
    run: async (sql) => db.exec(sql),
    close: async () => db.close(),
  };
}

async function postgresTables(url: string): Promise<TableReader> {
  const client = new Client(noTimeoutConfig(url));
  await client.connect();
  return {
    all: async (table) => (await client.query(`SELECT * FROM ${table}`)).rows as never,
    textOf: async (table) => JSON.stringify((await client.query(`SELECT * FROM ${table}`)).rows),
    select: async (sql) => (await client.query(sql)).rows,
    run: async (sql) => void (await client.query(sql)),
    close: () => client.end(),
  };
}
