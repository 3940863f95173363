// The Store on PostgreSQL: writes go through one queue, queries run beside it, each on its own snapshot.

import { Client, type Pool } from 'pg';
import { AppError } from '../../errors.ts';
import { refuseWhenOverloaded } from '../group-commit.ts';
import { newestVersion, refuseVersion, type Schema, type SchemaChange } from '../schema.ts';
import type { Instant, Operation, Query, Store, StoreStats } from '../store.ts';
import { computationLimit, listLimit, QueryThread, refuseQueryWhenOverloaded } from '../threads/query-thread.ts';
import { type StartWorker, type ThreadOptions, WorkerThread } from '../threads/worker-thread.ts';
import { EventSequencer } from './event-sequencer.ts';
import { HighWaterWriter } from './high-water-writer.ts';
import { refuseOtherPg } from './pg-internals.ts';
import { asStartError, isUnreachable, unavailable } from './postgres-errors.ts';
import { byKeyOnly, cheapRandomReads, noTimeoutConfig } from './prepared-connection.ts';
import { openPool, runQuery } from './query-pool.ts';
import { isOutdated, migrate, refuseUnsafeServer, schemaVersion } from './schema.ts';
import { WriteQueue } from './write-queue.ts';

type PostgresOptions = {
  readonly url: string;
  readonly schema: Schema;
  /** Starts the thread of computations. */
  readonly startWorker: StartWorker;
  readonly now: () => Instant;
  readonly schemaChange: SchemaChange;
  /** Called for database errors that no request reports; the store retries by itself. */
  readonly onTrouble: (error: unknown) => void;
  /** Called when this program cannot work with the database any more. */
  readonly onBroken?: (reason: string) => void;
  /** Called with notices to the administrator about the data. */
  readonly onNotice?: (sentence: string) => void;
  /** The folder of a server's high-water mark; CLI commands write none. */
  readonly highWaterFolder?: string;
};

const quickConnections = 4;
/** With more, lists of a few users kept both cores of a small machine busy, and an alarm beside them waited 365 ms. */
const listConnections = 2;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  refuseOtherPg();
  await prepareDatabase(options);
  const sequencer = new EventSequencer(options.url, options.onTrouble, (client) => endIfOutdated(client, options));
  const store = new PostgresStore(options, sequencer);
  try {
    await sequencer.start();
    await store.refuseOtherVersion(options);
    await store.keepHighWater(options);
    return store;
  } catch (error) {
    await store.close();
    throw asStartError(error);
  }
}

async function prepareDatabase({ url, schema, schemaChange, onNotice }: PostgresOptions): Promise<void> {
  const client = new Client(noTimeoutConfig(url));
  // A broken connection fails the running query, which reports the reason.
  client.on('error', () => {});
  try {
    await client.connect();
    await refuseUnsafeServer(client);
    refuseVersion(schema, await schemaVersion(client), schemaChange);
    if (schemaChange !== 'none') await migrate(client, schema, onNotice);
  } catch (error) {
    throw asStartError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A node that was frozen or cut off has lost the lock under which nobody changes the schema. */
async function endIfOutdated(client: Client, { schema, onBroken }: PostgresOptions): Promise<void> {
  const known = newestVersion(schema);
  if (await isOutdated(client, known)) {
    onBroken?.(
      `while this node was cut off, the database was upgraded from schema ${known}: start the new version of Tocsin`,
    );
  }
}

class PostgresStore implements Store {
  readonly kind = 'postgres';
  /** For writes and quick queries, so that many lists cannot block an alarm. */
  readonly #quickPool: Pool;
  readonly #listPool: Pool;
  readonly #computations: QueryThread;
  readonly #decisions: QueryThread;
  #lists = 0;
  readonly #sequencer: EventSequencer;
  readonly #now: () => Instant;
  #highWater: HighWaterWriter | undefined;
  #committedAt = Number.NEGATIVE_INFINITY;
  readonly #stats = { writes: 0, commits: 0, reads: 0 };
  readonly #writes: WriteQueue;
  #latest: Instant = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PostgresOptions, sequencer: EventSequencer) {
    const { url, onTrouble } = options;
    this.#quickPool = openPool({ url, onTrouble, max: quickConnections, settings: byKeyOnly });
    this.#listPool = openPool({ url, onTrouble, max: listConnections, settings: cheapRandomReads });
    const startReader = (on: Pick<ThreadOptions, 'onBroken' | 'refusal'>): Promise<WorkerThread> =>
      WorkerThread.start({ worker: options.startWorker({ role: 'postgres-reader', url }), ...on });
    this.#computations = new QueryThread(startReader, computationLimit);
    this.#decisions = new QueryThread(startReader, computationLimit);
    this.#sequencer = sequencer;
    this.#writes = new WriteQueue(this.#quickPool, () => {
      this.#stats.commits++;
      this.#committedAt = performance.now();
      sequencer.nudge();
    });
    this.#now = options.now;
  }

  /**
   * Looks at the schema again now that the sequencer holds the lock under which nobody migrates: a newer node may have
   * done so just before.
   */
  async refuseOtherVersion({ schema }: PostgresOptions): Promise<void> {
    refuseVersion(schema, await schemaVersion(this.#quickPool), 'none');
  }

  async keepHighWater({ schema, highWaterFolder, onTrouble, onNotice }: PostgresOptions): Promise<void> {
    if (highWaterFolder === undefined) return;
    this.#highWater = new HighWaterWriter(this.#quickPool, schema, highWaterFolder, onTrouble);
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
    if (query.isQuick) return runQuery(this.#quickPool, query, args);
    if (query.isComputation) return this.#computations.read(query, args);
    if (query.isDecision) return this.#decisions.read(query, args);
    refuseQueryWhenOverloaded(this.#lists, listLimit);
    this.#lists++;
    return runQuery(this.#listPool, query, args).finally(() => {
      this.#lists--;
    });
  }

  onEvents(listener: () => void): () => void {
    return this.#sequencer.onEvents(listener);
  }

  eventDelayMs(): number {
    return this.#sequencer.delayMs();
  }

  silentMs(): number {
    return Math.min(this.#sequencer.silentMs(), performance.now() - this.#committedAt);
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
    const threads = [this.#computations.close(), this.#decisions.close()];
    await Promise.all([this.#quickPool.end(), this.#listPool.end(), ...threads]);
  }
}
