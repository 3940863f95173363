// The Store port: the guarantees every database gives the rest of the program, tested by test/conformance/store.ts.

import type { RowStatement, SqlRow } from './row-batch.ts';
import type { CacheDefinition, RowCache } from './row-cache.ts';
import type { DatabaseKind, SqlValue, Statement } from './statement.ts';
import type { TableWithIds } from './tables.ts';

/** Milliseconds since 1970, UTC. */
export type Instant = number;

/** A read transaction: one consistent snapshot of the database. */
export type ReadTx = {
  one<A extends Readonly<Record<string, SqlValue>>, R>(statement: Statement<A, R>, args: A): Promise<R | undefined>;
  all<A extends Readonly<Record<string, SqlValue>>, R>(statement: Statement<A, R>, args: A): Promise<readonly R[]>;
};

/** A write transaction: as ReadTx, plus its own changes. */
export type Tx = ReadTx & {
  /** Returns the number of rows changed. */
  run<A extends Readonly<Record<string, SqlValue>>>(statement: Statement<A, unknown>, args: A): Promise<number>;
  /** Runs an insert and returns the new row's id. */
  insert<A extends Readonly<Record<string, SqlValue>>>(
    statement: Statement<A, { id: number }>,
    args: A,
  ): Promise<number>;
  /** Writes all the rows; on PostgreSQL in one round trip. */
  each<R extends SqlRow>(statement: RowStatement<R>, rows: readonly R[]): Promise<void>;
  /** Reserves ascending ids for rows of this table that are about to be inserted. */
  nextIds(table: TableWithIds, count: number): Promise<readonly number[]>;
  /**
   * Announces that about `count` ids will be needed. PostgreSQL, where gaps do not matter, fetches them together with
   * the next ids.
   */
  readonly expectIds?: (table: TableWithIds, count: number) => void;
  /**
   * Returns the cache of this definition, which lives longer than the transaction and equals the rows as it sees them;
   * only in stores with a single writer.
   */
  readonly cache?: <C extends RowCache>(definition: CacheDefinition<C>) => C;
};

/**
 * A change of the store. It awaits only its `tx`, has no effect outside it and takes the time as an argument, so that a
 * driver may run it again from the start. It refuses by throwing an AppError, before its first write where possible: a
 * refusal after a write costs the driver a rollback. Inputs and outcomes are plain data: on SQLite they are sent
 * between threads.
 */
export type Operation<I, O> = {
  readonly name: string;
  readonly run: (tx: Tx, now: Instant, input: I) => Promise<O>;
  /**
   * Runs several inputs in order: reads for all of them, decides, writes for all of them, and returns one result each.
   * A refused input must have changed nothing; throwing undoes all of them.
   */
  readonly runAll?: (tx: Tx, jobs: readonly Job<I>[]) => Promise<readonly JobResult<O>[]>;
  /** Set for alarms and values that come in: they are refused once the database is known to be damaged. */
  readonly isIntake?: true;
  /** Set for frequent operations. */
  readonly codec?: ThreadCodec<I>;
};

/** A faster encoding of an input between threads than structured cloning; `unpack` restores the packed input. */
export type ThreadCodec<I> = {
  readonly pack: (input: I) => unknown;
  readonly unpack: (packed: never) => unknown;
};

export type Job<I> = { readonly now: Instant; readonly input: I };

export type JobResult<O> =
  | { readonly kind: 'done'; readonly outcome: O }
  | { readonly kind: 'failed'; readonly error: unknown };

export type SetOperation<I, O> = Operation<I, O> & Required<Pick<Operation<I, O>, 'runAll'>>;

/** Declares an operation by its `runAll`; `run` is a set of one. */
export function setOperation<I, O>(
  name: string,
  runAll: SetOperation<I, O>['runAll'],
  codec?: ThreadCodec<I>,
): SetOperation<I, O> {
  return {
    name,
    runAll,
    ...(codec === undefined ? {} : { codec }),
    async run(tx, now, input) {
      const [result] = await runAll(tx, [{ now, input }]);
      if (result?.kind !== 'done') throw result?.error;
      return result.outcome;
    },
  };
}

/** A read of the store, under the same rules as an operation. */
export type Query<A, R> = {
  readonly name: string;
  /**
   * Set for queries that find few rows by a key. They have their own connections or threads, so that requests and
   * timers never wait behind a long list.
   */
  readonly isQuick?: true;
  /**
   * Set for queries that compute for long over few rows, such as forecasts and calendars. They run one after another on
   * a thread of their own, so that neither the event loop nor a list waits for them.
   */
  readonly isComputation?: true;
  /** Set for the decisions of the calling engine on many alarms: they wait behind no list and no computation. */
  readonly isDecision?: true;
  /** Set for queries that may read a large part of the history. Where lists share a thread, they have one of their own. */
  readonly isLong?: true;
  readonly run: (tx: ReadTx, args: A) => Promise<R>;
};

export type Store = {
  readonly kind: DatabaseKind;

  /**
   * Runs the operation in a transaction and resolves after the commit is on stable storage. Operations are isolated
   * from each other and run in the order of the calls. Throws AppError `unavailable`, with nothing changed, when the
   * commit fails or too many writes are queued.
   */
  write<I, O>(operation: Operation<I, O>, input: I): Promise<O>;

  /**
   * Runs the query on a snapshot that includes everything committed before the call. Scans never block the event loop.
   */
  read<A, R>(query: Query<A, R>, args: A): Promise<R>;

  /**
   * Calls `listener` soon after new events can be read, at most once per event-loop turn. It is only a nudge and may be
   * missed while the database is unreachable, so readers of the log also poll every two seconds. `frequentTo` means that
   * all new events up to that position are frequent ones.
   */
  onEvents(listener: (frequentTo?: number) => void): () => void;

  /** Returns for how long changes may have been committed that `onEvents` has not told of; a second or two at rest. */
  eventDelayMs(): number;

  /** Returns for how long the database has answered nothing; a second or two at rest. */
  silentMs(): number;

  /** Throws when the store cannot accept a write now; the message may be shown to an administrator. */
  check(): Promise<void>;

  /** Checks all of the database beside the work, because something could not be read; only where a file is one's own. */
  recheck?(): void;

  /** Counters since the start, for /metrics. */
  stats(): StoreStats;

  /** Waits for running work, then releases everything. A second call waits for the same end. */
  close(): Promise<void>;
};

export type StoreStats = {
  readonly writes: number;
  readonly commits: number;
  readonly reads: number;
};
