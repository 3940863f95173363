// The Store port: the promises every database keeps to the rest of the program, held by test/conformance/store.ts.

import type { AlarmCache } from './alarm-cache.ts';
import type { Row, RowSet } from './row-batch.ts';
import type { DatabaseKind, SqlValue, Statement } from './statement.ts';

/** Milliseconds since 1970, UTC. */
export type Instant = number;

/** What a query sees: one unchanging picture of the database. */
export type ReadTx = {
  one<A extends Readonly<Record<string, SqlValue>>, R>(statement: Statement<A, R>, args: A): Promise<R | undefined>;
  all<A extends Readonly<Record<string, SqlValue>>, R>(statement: Statement<A, R>, args: A): Promise<readonly R[]>;
};

/** What an operation sees: as ReadTx, and its own changes. */
export type Tx = ReadTx & {
  /** Answers how many rows were changed. */
  run<A extends Readonly<Record<string, SqlValue>>>(statement: Statement<A, unknown>, args: A): Promise<number>;
  /** Runs an insert that returns the new row's id; answers the id. */
  insert<A extends Readonly<Record<string, SqlValue>>>(
    statement: Statement<A, { id: number }>,
    args: A,
  ): Promise<number>;
  /** Writes all the rows; on PostgreSQL in one round trip. */
  each<R extends Row>(rowSet: RowSet<R>, rows: readonly R[]): Promise<void>;
  /** Ids for rows of this table that are about to be inserted with them, rising. */
  nextIds(table: TableWithIds, count: number): Promise<readonly number[]>;
  /** Says that about so many will be needed: PostgreSQL, where gaps do not matter, gives them with what is asked now. */
  readonly expectIds?: (table: TableWithIds, count: number) => void;
  /** Where nobody else writes: the alarms as they are known to be. */
  readonly cache?: AlarmCache;
};

export type TableWithIds =
  | 'alarms'
  | 'alarm_histories'
  | 'history_texts'
  | 'history_series'
  | 'calls'
  | 'call_cycles'
  | 'call_attempts'
  | 'events';

/**
 * Something that changes the store. It awaits nothing but its `tx`, has no effect outside it and takes the time as an
 * argument, so that a driver may run it again from the start. It refuses by throwing an AppError, before its first
 * write where it can: a refusal after a write costs the driver an undo.
 * Commands and outcomes are plain data: on SQLite they cross a thread.
 */
export type Operation<C, O> = {
  readonly name: string;
  readonly run: (tx: Tx, now: Instant, command: C) => Promise<O>;
  /**
   * The same for several commands, in their order: reads for all of them, decides, writes for all of them. Answers a
   * result for each. One that is refused has changed nothing; what it throws undoes them all.
   */
  readonly runAll?: (tx: Tx, jobs: readonly Job<C>[]) => Promise<readonly JobResult<O>[]>;
  /** For commands that are many. */
  readonly crossing?: ThreadCodec<C>;
};

/** How a command crosses a thread, when that is quicker than as it is: `unpack` answers what was packed. */
export type ThreadCodec<C> = {
  readonly pack: (command: C) => unknown;
  readonly unpack: (packed: never) => unknown;
};

export type Job<C> = { readonly now: Instant; readonly command: C };

export type JobResult<O> =
  | { readonly kind: 'done'; readonly outcome: O }
  | { readonly kind: 'failed'; readonly error: unknown };

export type SetOperation<C, O> = Operation<C, O> & Required<Pick<Operation<C, O>, 'runAll'>>;

/** An operation that is written for many commands; one alone is a set of one. */
export function setOperation<C, O>(
  name: string,
  runAll: SetOperation<C, O>['runAll'],
  crossing?: ThreadCodec<C>,
): SetOperation<C, O> {
  return {
    name,
    runAll,
    ...(crossing === undefined ? {} : { crossing }),
    async run(tx, now, command) {
      const [result] = await runAll(tx, [{ now, command }]);
      if (result?.kind !== 'done') throw result?.error;
      return result.outcome;
    },
  };
}

/** Something that reads the store, under the same rules. */
export type Query<A, R> = {
  readonly name: string;
  /** Finds its few rows by a key. What every request and every timer needs never waits behind somebody's long list. */
  readonly isQuick?: true;
  readonly run: (tx: ReadTx, args: A) => Promise<R>;
};

export type Store = {
  readonly kind: DatabaseKind;

  /**
   * Runs the operation in a transaction and answers after the commit is on stable storage. Operations see each other
   * whole or not at all, and are carried out in the order of the calls. When the commit fails, or more waits than can be
   * written soon, throws AppError `unavailable` and nothing has changed.
   */
  write<C, O>(operation: Operation<C, O>, command: C): Promise<O>;

  /** Runs the query on one picture of everything committed before the call. Never holds the event loop while it scans. */
  read<A, R>(query: Query<A, R>, args: A): Promise<R>;

  /**
   * Calls `listener` soon after new events can be read, at most once a turn. Only a nudge: one may be missed when the
   * database is out of reach, so whoever follows the log also looks every two seconds. With `alarmsTo` it says that all that
   * is new up to that position is about alarms, which are many.
   */
  onEvents(listener: (alarmsTo?: number) => void): () => void;

  /** Throws when the store cannot take a write now; the message may be shown to an administrator. */
  check(): Promise<void>;

  /** Counters since the start, for /metrics. */
  stats(): StoreStats;

  /** Lets what is under way finish, then frees everything. A second call waits for the same end. */
  close(): Promise<void>;
};

export type StoreStats = {
  readonly writes: number;
  readonly commits: number;
  readonly reads: number;
};
