// PostgreSQL connection options, and the port's Tx over statements prepared on a connection.

import type { ClientBase, ClientConfig } from 'pg';
import { CommitRolledBack, type WriteConnection } from '../group-commit.ts';
import { bind, type Compilable, type SqlValue } from '../statement.ts';
import type { Tx } from '../store.ts';
import type { TableWithIds } from '../tables.ts';
import { arraysOf } from './binary-arrays.ts';
import { Pipeline, type StatementResult } from './pipeline.ts';
import { brokeKey, hasOutdatedPlan, isUnreachable, lostRace } from './postgres-errors.ts';
import { types } from './value-types.ts';

export function clientConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'tocsin',
    types,
    keepAlive: true,
    // A statement is sent without waiting for the result of the one before: see PreparedConnection.
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    query_timeout: 35_000,
    // Frees the rows that a node held in a transaction when it was frozen or cut off.
    idle_in_transaction_session_timeout: 10_000,
  };
}

/**
 * Settings for connections whose statements all find rows by a key. The plan of a prepared statement outlives the
 * statistics it was made with: one made for an empty table would scan the table for minutes after it has filled up.
 */
export const byKeyOnly = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set plan_cache_mode = force_generic_plan; set jit = off`;

/**
 * Makes PostgreSQL notice within 10 s that the machine of a node is gone, and free what its connections held; by default
 * that takes TCP a quarter of an hour with unsent data, and two hours without.
 */
export const lostPeerSettings = `set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 10000`;

/**
 * Setting for lists. By default PostgreSQL estimates a random page read as four times the cost of a sequential one,
 * which holds for spinning disks; it then read whole ranges of counts instead of a few keys. With this setting the
 * total of interventions over ten million entries took 0.47 ms instead of 1.2 ms.
 */
export const cheapRandomReads = 'set random_page_cost = 1.1';

/** For a connection that only reads: a forecast computes for long between two statements, and holds no row meanwhile. */
export const longComputations = 'set idle_in_transaction_session_timeout = 0';

/** Options without time-outs, for long work such as a migration or a backup; the time-outs are for requests. */
export function noTimeoutConfig(url: string): ClientConfig {
  return {
    ...clientConfig(url),
    // Copying rows has the connection to itself.
    pipeline: false,
    statement_timeout: 0,
    query_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
}

const nextIds = `with found as materialized (select pg_get_serial_sequence($1, 'id')::regclass as sequence)
  select nextval(sequence) as id from found, generate_series(1, $2::int)`;

/**
 * A connection borrowed from the pool as the port's transaction; its user begins and ends the transaction. Statements
 * without a result, most of what an alarm writes, are sent without waiting, and their failure surfaces in the next
 * statement that is awaited.
 */
export class PreparedConnection implements WriteConnection {
  readonly #pipeline: Pipeline;
  readonly #expected = new Map<TableWithIds, Promise<number[]>>();
  #isOver = false;
  hasWritten = false;
  /** Whether a violated key is still treated as a conflict with another node, and the batch run again. */
  retriesBrokenKeys = true;

  constructor(client: ClientBase) {
    this.#pipeline = Pipeline.of(client);
  }

  readonly tx: Tx = {
    one: async (statement, args) => (await this.#ask(statement, args)).rows[0] as never,
    all: async (statement, args) => (await this.#ask(statement, args)).rows as never,
    run: async (statement, args) => (await this.#ask(statement, args)).count,
    insert: async (statement, args) => Number((await this.#ask(statement, args)).rows[0]?.id),
    each: async (statement, rows) => {
      if (rows.length === 0) return;
      this.#refuseWhenOver();
      this.hasWritten = true;
      this.#pipeline.send(statement, statement.compiledFor('postgres').text, arraysOf(statement, rows));
    },
    nextIds: async (table, count) => {
      if (count === 0) return [];
      const expected = (await this.#expected.get(table)) ?? [];
      const ids = expected.splice(0, count);
      return ids.length === count ? ids : [...ids, ...(await this.#fetchIds(table, count - ids.length))];
    },
    expectIds: (table, count) => {
      if (count === 0) return;
      const ids = this.#fetchIds(table, count);
      // The ids may never be used, so a failure must not be an unhandled rejection.
      ids.catch(() => {});
      this.#expected.set(table, ids);
    },
  };

  begin(text: string): void {
    this.#pipeline.sendLater(text, text);
  }

  /** Rolls back everything sent before, whether it succeeded or not. */
  async rollBack(text: string): Promise<void> {
    this.#pipeline.split();
    await this.#pipeline.ask(text, text);
  }

  /** After a failed statement PostgreSQL replies to COMMIT with ROLLBACK. */
  async commit(): Promise<void> {
    try {
      const { command } = await this.#pipeline.ask('COMMIT', 'COMMIT');
      if (command !== 'COMMIT') throw new Error(`A COMMIT was answered with ${command}`);
    } catch (error) {
      throw this.failsBatch(error)
        ? error
        : new CommitRolledBack('Something in the transaction failed', { cause: error });
    }
  }

  /** Makes late statements of a finished transaction throw instead of reaching the next one. */
  end(): void {
    this.#isOver = true;
  }

  settle(): Promise<void> {
    return this.#pipeline.settle();
  }

  failsBatch(error: unknown): boolean {
    if (isUnreachable(error) || lostRace(error) || hasOutdatedPlan(error)) return true;
    return this.retriesBrokenKeys && brokeKey(error);
  }

  #refuseWhenOver(): void {
    if (this.#isOver) throw new Error('The transaction is over');
  }

  async #fetchIds(table: TableWithIds, count: number): Promise<number[]> {
    this.#refuseWhenOver();
    const { rows } = await this.#pipeline.ask(nextIds, nextIds, [table, count]);
    return rows.map(({ id }) => Number(id));
  }

  #ask(statement: Compilable, args: Readonly<Record<string, SqlValue>>): Promise<StatementResult> {
    this.#refuseWhenOver();
    const compiled = statement.compiledFor('postgres');
    if (compiled.writes.length > 0) this.hasWritten = true;
    return this.#pipeline.ask(statement, compiled.text, bind(compiled, args));
  }
}
