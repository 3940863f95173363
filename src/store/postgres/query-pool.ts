// A pool of PostgreSQL connections, and a query run on one of them in its own snapshot.

import { Pool, type PoolClient } from 'pg';
import type { Query } from '../store.ts';
import { hasOutdatedPlan, isUnreachable, unavailable } from './postgres-errors.ts';
import { clientConfig, lostPeerSettings, PreparedConnection } from './prepared-connection.ts';
import { releaseConnection } from './write-queue.ts';

type PoolOptions = {
  readonly url: string;
  readonly max: number;
  /** Statements run on each new connection. */
  readonly settings: string;
  /** Called for errors of idle connections, which no query reports. */
  readonly onTrouble: (error: unknown) => void;
};

export function openPool({ url, max, settings, onTrouble }: PoolOptions): Pool {
  const pool = new Pool({
    ...clientConfig(url),
    max,
    onConnect: async (client) => void (await client.query(`${settings}; ${lostPeerSettings}`)),
  });
  pool.on('error', onTrouble);
  // The pool handles errors of idle connections only; an error on a borrowed one would end the process. Its query fails
  // too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Runs the query; again on another connection for as long as one has plans from before a change of the schema. */
export async function runQuery<A, R>(pool: Pool, query: Query<A, R>, args: A): Promise<R> {
  for (let triesLeft = pool.options.max; ; triesLeft--) {
    try {
      return await runOnce(pool, query, args);
    } catch (error) {
      if (!hasOutdatedPlan(error) || triesLeft === 0) throw error;
    }
  }
}

async function runOnce<A, R>(pool: Pool, query: Query<A, R>, args: A): Promise<R> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    const connection = new PreparedConnection(client);
    const outcome = await inSnapshot(connection, query, args).finally(() => connection.end());
    client.release();
    return outcome;
  } catch (error) {
    if (client !== undefined) await releaseConnection(client, error);
    throw isUnreachable(error) ? unavailable(error) : error;
  }
}

async function inSnapshot<A, R>(connection: PreparedConnection, query: Query<A, R>, args: A): Promise<R> {
  connection.begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const outcome = await query.run(connection.tx, args);
  await connection.commit();
  return outcome;
}
