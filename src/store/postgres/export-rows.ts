// Reads a consistent snapshot of a PostgreSQL database row by row while nodes write to it.

import { Client } from 'pg';
import {
  backedUpTables,
  isBackedUp,
  nothingToBackUp,
  type RowBatch,
  rowsPerBatch,
  type Snapshot,
} from '../backup/format.ts';
import { type Schema, stepsFrom } from '../schema.ts';
import type { SqlValue } from '../statement.ts';
import { readIds } from './issued-ids.ts';
import { asStartError } from './postgres-errors.ts';
import { noTimeoutConfig } from './prepared-connection.ts';
import { isEmptyStore, schemaVersion } from './schema.ts';

export async function withPostgresSnapshot<T>(
  url: string,
  schema: Schema,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = new Client(noTimeoutConfig(url));
  // Without a listener, a connection that breaks between two queries ends the process. The next query reports the
  // error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    const version = await schemaVersion(client);
    stepsFrom(schema, version);
    if (await isEmptyStore(client, schema)) throw nothingToBackUp();
    const { rows } = await client.query(`select value from meta where key = 'epoch'`);
    return await use({
      database: 'postgres',
      schemaVersion: version,
      epoch: String(rows[0]?.value ?? ''),
      ids: await readIds(client),
      batches: readTables(client, schema),
    });
  } catch (error) {
    throw asStartError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Reads every table. A database created by an older Tocsin may lack some of them. */
async function* readTables(client: Client, schema: Schema): AsyncGenerator<RowBatch> {
  for (const table of backedUpTables(schema)) {
    const all = (await columnsOf(client, table)).filter(({ name }) => isBackedUp(schema, table, name));
    if (all.length === 0) continue;
    const columns = all.map(({ name }) => name);
    yield { table, columns, rows: [] };
    const texts = all.filter(({ isText }) => isText).map(({ name }) => name);
    const source = { table, columns, rowsPerFetch: await rowsPerFetch(client, table, texts) };
    if (table === 'events') yield* numbered(client, readEvents(client, source));
    else yield* readRows(client, source, '');
  }
}

type Column = { readonly name: string; readonly isText: boolean };

async function columnsOf(client: Client, table: string): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(
    `select column_name::text as name, data_type = 'text' as "isText" from information_schema.columns
     where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [table],
  );
  return rows;
}

/** The size of the response to one fetch, which is in memory as a whole. */
const bytesPerFetch = 8_000_000;

/** Returns how many rows of the table can be fetched at once, by the longest of them. */
async function rowsPerFetch(client: Client, table: string, texts: readonly string[]): Promise<number> {
  const bytes = texts.map((column) => `coalesce(octet_length("${column}"), 0)`).join(' + ');
  const { rows } = await client.query(`select max(${bytes || 0}) as longest from ${table}`);
  return Math.max(1, Math.min(rowsPerBatch, Math.floor(bytesPerFetch / Number(rows[0]?.longest))));
}

type Source = { readonly table: string; readonly columns: readonly string[]; readonly rowsPerFetch: number };

async function* readRows(
  client: Client,
  { table, columns, rowsPerFetch: count }: Source,
  which: string,
): AsyncGenerator<RowBatch> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  await client.query(`declare rows no scroll cursor for select ${names} from ${table} ${which}`);
  for (let isOver = false; !isOver; ) {
    const { rows } = await client.query<SqlValue[]>({ text: `fetch ${count} from rows`, rowMode: 'array' });
    if (rows.length > 0) yield { table, columns, rows };
    isOver = rows.length < count;
  }
  await client.query('close rows');
}

/** Two queries, each read along its index: ordered in one query, millions of rows would be sorted first. */
async function* readEvents(client: Client, source: Source): AsyncGenerator<RowBatch> {
  yield* readRows(client, source, 'where position is not null order by position');
  yield* readRows(client, source, 'where position is null order by id');
}

/** Gives committed events that the sequencer has not reached yet, which come last, the positions it would assign. */
async function* numbered(client: Client, batches: AsyncIterable<RowBatch>): AsyncGenerator<RowBatch> {
  const { rows } = await client.query('select last from event_counter');
  let last = Number(rows[0]?.last);
  for await (const batch of batches) {
    const index = batch.columns.indexOf('position');
    yield { ...batch, rows: batch.rows.map((row) => (row[index] === null ? row.with(index, ++last) : row)) };
  }
}
