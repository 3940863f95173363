// The Store over PostgreSQL: one serializable batch of operations after another, run again when it lost
// against another node.

import { setTimeout as delay } from 'node:timers/promises';
import { Client, Pool, type PoolClient } from 'pg';
import { AppError } from '../../errors.ts';
import {
  commitBatch,
  largestBatch,
  refuseList,
  refuseWhenOverloaded,
  type WriteJob,
  type WriteResult,
  weightOf,
  weightOfAll,
} from '../group-commit.ts';
import { newestVersion } from '../migrations/migrations.ts';
import type { Instant, Operation, Query, Store, StoreFigures } from '../store.ts';
import { byKeyOnly, clientConfig, PreparedConnection, patientConfig, readsAnywhere } from './connection.ts';
import { EventSequencer } from './event-sequencer.ts';
import { HighWaterKeeper } from './high-water-keeper.ts';
import { asStartError, brokeKey, isUnreachable, lostRace, unavailable } from './postgres-errors.ts';
import { migrate, refuseUnsafeServer } from './schema.ts';

export type PostgresOptions = {
  readonly url: string;
  readonly now: () => Instant;
  /** Told of trouble with the database that no request shows: it is retried by itself. */
  readonly onTrouble: (error: unknown) => void;
  /** Told what whoever runs the server should know about the data it was started on. */
  readonly onNotice?: (sentence: string) => void;
  /** Where a server keeps its high-water mark; the command line keeps none. */
  readonly highWaterFolder?: string;
};

const quickConnections = 4;
const listConnections = 6;
/** Far more than contention ever needs; a bound only so that a bug of ours cannot turn for ever. */
const mostTries = 50;

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
  const client = new Client(patientConfig(url));
  // What cuts it off fails the query under way, which says why.
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

type Queued = WriteJob & { readonly resolve: (outcome: unknown) => void; readonly reject: (error: unknown) => void };

class PostgresStore implements Store {
  readonly kind = 'postgres';
  /** For writes and quick queries: a flood of lists must not keep an alarm out. */
  readonly #quickPool: Pool;
  readonly #listPool: Pool;
  #lists = 0;
  readonly #sequencer: EventSequencer;
  readonly #now: () => Instant;
  #highWater: HighWaterKeeper | undefined;
  readonly #figures = { writes: 0, commits: 0, reads: 0 };
  readonly #waiting: Queued[] = [];
  #weightWaiting = 0;
  #isDraining = false;
  #drained: Promise<void> = Promise.resolve();
  #latest: Instant = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PostgresOptions, sequencer: EventSequencer) {
    this.#quickPool = openPool(options, quickConnections, byKeyOnly);
    this.#listPool = openPool(options, listConnections, readsAnywhere);
    this.#sequencer = sequencer;
    this.#now = options.now;
  }

  async keepHighWater({ highWaterFolder, onTrouble, onNotice }: PostgresOptions): Promise<void> {
    if (highWaterFolder === undefined) return;
    this.#highWater = new HighWaterKeeper(this.#quickPool, highWaterFolder, onTrouble);
    const notice = await this.#highWater.start(this.#now());
    if (notice !== undefined) onNotice?.(notice);
  }

  async write<C, O>(operation: Operation<C, O>, command: C): Promise<O> {
    refuseWhenOverloaded(this.#weightWaiting);
    this.#figures.writes++;
    this.#latest = Math.max(this.#latest, this.#now());
    const now = this.#latest;
    return new Promise((resolve, reject) => {
      const job = { operation: operation as Operation<never, unknown>, now, command };
      this.#waiting.push({ ...job, resolve: resolve as (outcome: unknown) => void, reject });
      this.#weightWaiting += weightOf(command);
      if (!this.#isDraining) this.#drained = this.#drain();
    });
  }

  async read<A, R>(query: Query<A, R>, args: A): Promise<R> {
    this.#figures.reads++;
    if (query.isQuick) return this.#runQuery(this.#quickPool, query, args);
    refuseList(this.#lists);
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

  figures(): StoreFigures {
    return this.#figures;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#drained;
    await this.#sequencer.stop();
    await this.#highWater?.stop();
    await Promise.all([this.#quickPool.end(), this.#listPool.end()]);
  }

  /**
   * All that waits, up to a batch. What comes while it runs is for the next, which is then a larger set: taken into the
   * same transaction as it came, it ran in sets of one or two, and with 167 alarms a second some were called for 5.6 s late
   * instead of 0.2 s.
   */
  #takeBatch(): readonly Queued[] {
    const batch: Queued[] = [];
    for (let weight = 0; weight < largestBatch; ) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      batch.push(job);
      weight += weightOf(job.command);
    }
    this.#weightWaiting -= weightOfAll(batch);
    return batch;
  }

  /** One batch after another: operations of one node never race each other, only those of other nodes. */
  async #drain(): Promise<void> {
    this.#isDraining = true;
    for (let batch = this.#takeBatch(); batch.length > 0; batch = this.#takeBatch()) {
      try {
        const results = await this.#commit(batch);
        this.#figures.commits++;
        this.#sequencer.nudge();
        for (const [index, result] of results.entries()) {
          if (result.kind === 'done') batch[index]?.resolve(result.outcome);
          else batch[index]?.reject(result.error);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // In the same turn as the last look into the queue: a job that comes later starts anew.
    this.#isDraining = false;
  }

  async #commit(batch: readonly Queued[]): Promise<readonly WriteResult[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#withConnection(this.#quickPool, (connection) => {
          connection.forgivesBrokenKeys = attempt < 3;
          return commitBatch(connection, 'BEGIN ISOLATION LEVEL SERIALIZABLE', [...batch]);
        });
      } catch (error) {
        if (!(lostRace(error) || brokeKey(error))) throw error;
        if (attempt >= mostTries) throw lostRace(error) ? unavailable(error) : error;
        // Nodes that lost against each other do not meet again at once.
        await delay(Math.random() * Math.min(attempt, 10));
      }
    }
  }

  async #withConnection<T>(pool: Pool, work: (connection: PreparedConnection) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    try {
      client = await pool.connect();
      const outcome = await work(new PreparedConnection(client));
      client.release();
      return outcome;
    } catch (error) {
      await giveBack(client, error);
      throw isUnreachable(error) ? unavailable(error) : error;
    }
  }
}

/** `settings` are statements that each connection begins with. */
function openPool({ url, onTrouble }: PostgresOptions, max: number, settings: string): Pool {
  const pool = new Pool({
    ...clientConfig(url),
    max,
    onConnect: async (client) => void (await client.query(settings)),
  });
  pool.on('error', onTrouble);
  // The pool listens to idle connections alone; one that is cut while lent out would end the process. Its query fails too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Undoes and returns a connection to its pool; one that is dead, or cannot even undo, is thrown away. */
async function giveBack(client: PoolClient | undefined, error: unknown): Promise<void> {
  if (isUnreachable(error)) return client?.release(true);
  try {
    if (client !== undefined) await new PreparedConnection(client).rollBack('ROLLBACK');
    client?.release();
  } catch {
    client?.release(true);
  }
}
