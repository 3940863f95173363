// The Store on PostgreSQL: writes go through one queue, queries run beside it, each on its own snapshot.

import { Client, Pool, type PoolClient } from 'pg';
import { AppError } from '../../errors.ts';
import { refuseListWhenOverloaded, refuseWhenOverloaded } from '../group-commit.ts';
import { newestVersion } from '../migrations/migrations.ts';
import type { Instant, Operation, Query, Store, StoreStats } from '../store.ts';
import { EventSequencer } from './event-sequencer.ts';
import { HighWaterWriter } from './high-water-writer.ts';
import { asStartError, isUnreachable, unavailable } from './postgres-errors.ts';
import {
  byKeyOnly,
  cheapRandomReads,
  clientConfig,
  noTimeoutConfig,
  PreparedConnection,
} from './prepared-connection.ts';
import { migrate, refuseUnsafeServer } from './schema.ts';
import { releaseConnection, WriteQueue } from './write-queue.ts';

type PostgresOptions = {
  readonly url: string;
  readonly now: () => Instant;
  /** Called for database errors that no request reports; the store retries by itself. */
  readonly onTrouble: (error: unknown) => void;
  /** Called with notices to the administrator about the data. */
  readonly onNotice?: (sentence: string) => void;
  /** The folder of a server's high-water mark; CLI commands write none. */
  readonly highWaterFolder?: string;
};

const quickConnections = 4;
const listConnections = 6;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  await prepareDatabase(options);
  const sequencer = new EventSequencer(options.url, options.onTrouble);
  const store = new PostgresStore(options, sequencer);
  try {
    await sequencer.start();
    await store.keepHighWater(options);
    return store;
  } catch (error) {
    await store.close();
    throw asStartError(error);
  }
}

async function prepareDatabase({ url, onNotice }: PostgresOptions): Promise<void> {
  const client = new Client(noTimeoutConfig(url));
  // A broken connection fails the running query, which reports the reason.
  client.on('error', () => {});
  try {
    await client.connect();
    await refuseUnsafeServer(client);
    await migrate(client, newestVersion, onNotice);
  } catch (error) {
    throw asStartError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

class PostgresStore implements Store {
  readonly kind = 'postgres';
  /** For writes and quick queries, so that many lists cannot block an alarm. */
  readonly #quickPool: Pool;
  readonly #listPool: Pool;
  #lists = 0;
  readonly #sequencer: EventSequencer;
  readonly #now: () => Instant;
  #highWater: HighWaterWriter | undefined;
  readonly #stats = { writes: 0, commits: 0, reads: 0 };
  readonly #writes: WriteQueue;
  #latest: Instant = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PostgresOptions, sequencer: EventSequencer) {
    this.#quickPool = openPool(options, quickConnections, byKeyOnly);
    this.#listPool = openPool(options, listConnections, cheapRandomReads);
    this.#sequencer = sequencer;
    this.#writes = new WriteQueue(this.#quickPool, () => {
      this.#stats.commits++;
      sequencer.nudge();
    });
    this.#now = options.now;
  }

  async keepHighWater({ highWaterFolder, onTrouble, onNotice }: PostgresOptions): Promise<void> {
    if (highWaterFolder === undefined) return;
    this.#highWater = new HighWaterWriter(this.#quickPool, highWaterFolder, onTrouble);
    const notice = await this.#highWater.start(this.#now());
    if (notice !== undefined) onNotice?.(notice);
  }

  async write<I, O>(operation: Operation<I, O>, input: I): Promise<O> {
    refuseWhenOverloaded(this.#writes.weightWaiting);
    this.#stats.writes++;
    this.#latest = Math.max(this.#latest, this.#now());
    const now = this.#latest;
    return new Promise((resolve, reject) => {
      const job = { operation: operation as Operation<never, unknown>, now, input };
      this.#writes.add({ ...job, resolve: resolve as (outcome: unknown) => void, reject });
    });
  }

  async read<A, R>(query: Query<A, R>, args: A): Promise<R> {
    this.#stats.reads++;
    if (query.isQuick) return this.#runQuery(this.#quickPool, query, args);
    refuseListWhenOverloaded(this.#lists);
    this.#lists++;
    return this.#runQuery(this.#listPool, query, args).finally(() => {
      this.#lists--;
    });
  }

  #runQuery<A, R>(pool: Pool, query: Query<A, R>, args: A): Promise<R> {
    return this.#withConnection(pool, async (connection) => {
      connection.begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const outcome = await query.run(connection.tx, args);
      await connection.commit();
      return outcome;
    });
  }

  onEvents(listener: () => void): () => void {
    return this.#sequencer.onEvents(listener);
  }

  async check(): Promise<void> {
    try {
      const { rows } = await this.#quickPool.query('select pg_is_in_recovery() as "isStandby"');
      if (rows[0]?.isStandby) throw new AppError('unavailable', 'The database is a standby and takes no writes.');
    } catch (error) {
      throw isUnreachable(error) ? unavailable(error) : error;
    }
  }

  stats(): StoreStats {
    return this.#stats;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#writes.drained();
    await this.#sequencer.stop();
    await this.#highWater?.stop();
    await Promise.all([this.#quickPool.end(), this.#listPool.end()]);
  }

  async #withConnection<T>(pool: Pool, work: (connection: PreparedConnection) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    try {
      client = await pool.connect();
      const connection = new PreparedConnection(client);
      const outcome = await work(connection).finally(() => connection.end());
      client.release();
      return outcome;
    } catch (error) {
      if (client !== undefined) await releaseConnection(client, error);
      throw isUnreachable(error) ? unavailable(error) : error;
    }
  }
}

/** `settings` are statements run on each new connection. */
function openPool({ url, onTrouble }: PostgresOptions, max: number, settings: string): Pool {
  const pool = new Pool({
    ...clientConfig(url),
    max,
    onConnect: async (client) => void (await client.query(settings)),
  });
  pool.on('error', onTrouble);
  // The pool handles errors of idle connections only; an error on a borrowed one would end the process. Its query fails
  // too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
