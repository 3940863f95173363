// Reads facts about a PostgreSQL database for `tocsin doctor` without changing anything.

import { Client } from 'pg';
import { newestVersion, type Schema, stepsFrom } from '../schema.ts';
import type { ReadTx } from '../store.ts';
import { asStartError } from './postgres-errors.ts';
import { clientConfig, PreparedConnection } from './prepared-connection.ts';
import { refuseUnsafeServer, schemaVersion } from './schema.ts';

type PostgresFacts<T> = {
  readonly serverVersion: string;
  readonly isStandby: boolean;
  readonly schemaVersion: number;
  /** How far the database's clock is ahead of this machine's. */
  readonly clockAheadMs: number;
  /** The result of `query`; undefined when the schema is not the version that queries are written for. */
  readonly result: T | undefined;
};

/** Runs `query` in a read-only transaction. Throws a StartError when the server would refuse this database. */
export async function inspectPostgres<T>(
  url: string,
  schema: Schema,
  query: (tx: ReadTx) => Promise<T>,
): Promise<PostgresFacts<T>> {
  const client = new Client(clientConfig(url));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin read only');
    await refuseUnsafeServer(client);
    const version = await schemaVersion(client);
    stepsFrom(schema, version);
    const result = version === newestVersion(schema) ? await query(new PreparedConnection(client).tx) : undefined;
    return { ...(await serverFacts(client)), schemaVersion: version, result };
  } catch (error) {
    throw asStartError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function serverFacts(
  client: Client,
): Promise<Pick<PostgresFacts<unknown>, 'serverVersion' | 'isStandby' | 'clockAheadMs'>> {
  const before = Date.now();
  const { rows } = await client.query(
    `select current_setting('server_version') as version, pg_is_in_recovery() as "isStandby",
       extract(epoch from clock_timestamp()) * 1000 as now`,
  );
  // The database read its clock at some point between the two readings here.
  const middle = (before + Date.now()) / 2;
  return {
    serverVersion: String(rows[0]?.version),
    isStandby: rows[0]?.isStandby === true,
    clockAheadMs: Number(rows[0]?.now) - middle,
  };
}
