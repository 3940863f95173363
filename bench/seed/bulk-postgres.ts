// Loads rows into PostgreSQL fast, with COPY through the driver.

import { Client, type Connection, type Submittable } from 'pg';
import { raiseIds } from '../../src/store/postgres/issued-ids.ts';
import { noTimeoutConfig } from '../../src/store/postgres/prepared-connection.ts';
import { type BulkLoader, bulkTables, type Value, type Values } from './bulk.ts';

export async function bulkPostgres(url: string): Promise<BulkLoader> {
  const client = new Client(noTimeoutConfig(url));
  await client.connect();
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'`);
  const indexes = await dropIndexes(client);
  const tables = new Set<string>();
  return {
    async insert(table, columns, rows) {
      tables.add(table);
      await copied(client, `copy ${table} (${columns.join(', ')}) from stdin`, linesOf(rows));
    },
    async finish(onStep) {
      for (const { name, sql } of indexes) {
        onStep(`index ${name}`);
        await client.query(sql);
      }
      onStep('statistics');
      await raiseIds(client, await highestIds(client, tables));
      // Vacuum also sets the visibility map, as autovacuum would in time.
      await client.query('vacuum analyze');
    },
    close: () => client.end(),
  };
}

type Index = { readonly name: string; readonly sql: string };

/** Drops primary keys as well: otherwise each row would be looked up in a tree that no longer fits in memory. */
async function dropIndexes(client: Client): Promise<readonly Index[]> {
  const { rows: keys } = await client.query(
    `select conname as name, conrelid::regclass as table, pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'p' and conrelid = any ($1::regclass[])`,
    [bulkTables],
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: indexes } = await client.query(
    `select indexname as name, indexdef as sql from pg_indexes where tablename = any ($1) and schemaname = current_schema()`,
    [bulkTables],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const add = keys.map(({ table, name, definition }): Index => {
    return { name, sql: `alter table ${table} add constraint ${name} ${definition}` };
  });
  return [...add, ...indexes];
}

async function highestIds(client: Client, tables: ReadonlySet<string>): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  const { rows } = await client.query(
    `select table_name as name from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`,
  );
  for (const { name } of rows) {
    if (!tables.has(name)) continue;
    ids[name] = Number((await client.query(`select max(id) as id from ${name}`)).rows[0]?.id ?? 0);
  }
  return ids;
}

/** The text format of COPY: tabs between values, \N for null. */
function linesOf(rows: readonly Values[]): string {
  let lines = '';
  for (const row of rows) {
    let gap = '';
    for (const value of row) {
      lines += gap + textOf(value);
      gap = '\t';
    }
    lines += '\n';
  }
  return lines;
}

function textOf(value: Value): string | number {
  if (value === null) return '\\N';
  return typeof value === 'number' ? value : value.replace(/[\\\t\n\r]/g, (character) => `\\${character}`);
}

/** The driver's connection methods for COPY, which it has no API for. */
type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

function copied(client: Client, sql: string, lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = {
      submit: (connection: Connection) => connection.query(sql),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from(lines));
        connection.endCopyFrom();
      },
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery: resolve,
    };
    client.query(copy as Submittable);
  });
}
