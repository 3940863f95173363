// Looks at a PostgreSQL database for `tocsin doctor` without changing anything.

import { Client } from 'pg';
import { type ApiKeyEntry, listApiKeys } from '../../operations/access/queries.ts';
import { newestVersion, stepsFrom } from '../migrations/migrations.ts';
import { asStartError } from './postgres-errors.ts';
import { clientConfig, PreparedConnection } from './prepared-connection.ts';
import { refuseUnsafeServer, schemaVersion } from './schema.ts';

export type PostgresFacts = {
  readonly serverVersion: string;
  readonly isStandby: boolean;
  readonly schemaVersion: number;
  /** How far the database's clock is before this machine's. */
  readonly clockAheadMs: number;
  /** Empty where the schema is not the one our queries are for. */
  readonly keys: readonly ApiKeyEntry[];
};

/** Throws a StartError when the server would refuse it. */
export async function examinePostgres(url: string): Promise<PostgresFacts> {
  const client = new Client(clientConfig(url));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin read only');
    await refuseUnsafeServer(client);
    const version = await schemaVersion(client);
    stepsFrom(version);
    const page = { limit: 1_000, offset: 0, order: 'asc' } as const;
    const keys =
      version === newestVersion ? (await listApiKeys.run(new PreparedConnection(client).tx, page)).items : [];
    return { ...(await serverFacts(client)), schemaVersion: version, keys };
  } catch (error) {
    throw asStartError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function serverFacts(
  client: Client,
): Promise<Pick<PostgresFacts, 'serverVersion' | 'isStandby' | 'clockAheadMs'>> {
  const before = Date.now();
  const { rows } = await client.query(
    `select current_setting('server_version') as version, pg_is_in_recovery() as "isStandby",
       extract(epoch from clock_timestamp()) * 1000 as now`,
  );
  // The database looked at its clock somewhere between our two looks.
  const middle = (before + Date.now()) / 2;
  return {
    serverVersion: String(rows[0]?.version),
    isStandby: rows[0]?.isStandby === true,
    clockAheadMs: Number(rows[0]?.now) - middle,
  };
}
