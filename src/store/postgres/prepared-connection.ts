// How we talk to PostgreSQL: connection options, and statements prepared by name on a connection, seen as the port's Tx.

import type { ClientBase, ClientConfig } from 'pg';
import { Undone, type WriteConnection } from '../group-commit.ts';
import { bind, type SqlValue, type Statement } from '../statement.ts';
import type { TableWithIds, Tx } from '../store.ts';
import { arraysOf } from './binary-arrays.ts';
import { type Answer, Pipeline } from './pipeline.ts';
import { brokeKey, isUnreachable, lostRace } from './postgres-errors.ts';
import { types } from './value-types.ts';

export function clientConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'tocsin',
    types,
    keepAlive: true,
    // A statement is sent without waiting for the answer to the one before: see PreparedConnection.
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 60_000,
  };
}

/**
 * For connections whose statements all find their rows by a key. The plan of a prepared statement outlives the statistics
 * it was made with: one made for an empty table would scan that table for minutes after it has filled up.
 */
export const byKeyOnly = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set plan_cache_mode = force_generic_plan; set jit = off`;

/**
 * For lists. By default PostgreSQL takes a page read out of order for four times as dear as the next one, which is true of
 * turning disks: it then read whole ranges of counts where a few keys were asked for. The total of interventions over ten
 * million entries took 1.2 ms, and so 0.47.
 */
export const readsAnywhere = 'set random_page_cost = 1.1';

/** For work that may take its time, such as a migration or a backup: the time-outs are for requests. */
export function patientConfig(url: string): ClientConfig {
  return {
    ...clientConfig(url),
    // A copy of rows has the connection to itself.
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
 * A connection lent by the pool, seen as the port's transaction; whoever uses it begins and ends the transaction. What has
 * no answer to wait for, which is most of what an alarm writes, is sent on, and its failure shows in what is asked next.
 */
export class PreparedConnection implements WriteConnection {
  readonly #pipeline: Pipeline;
  readonly #expected = new Map<TableWithIds, Promise<number[]>>();
  #isOver = false;
  hasWritten = false;
  /** Whether a broken key is still taken for a lost race. */
  forgivesBrokenKeys = true;

  constructor(client: ClientBase) {
    this.#pipeline = Pipeline.of(client);
  }

  readonly tx: Tx = {
    one: async (statement, args) => (await this.#ask(statement, args)).rows[0] as never,
    all: async (statement, args) => (await this.#ask(statement, args)).rows as never,
    run: async (statement, args) => (await this.#ask(statement, args)).count,
    insert: async (statement, args) => Number((await this.#ask(statement, args)).rows[0]?.id),
    each: async (rowSet, rows) => {
      if (rows.length === 0) return;
      this.#refuseWhenOver();
      this.hasWritten = true;
      this.#pipeline.send(rowSet, rowSet.compiledFor('postgres').text, arraysOf(rowSet, rows));
    },
    nextIds: async (table, count) => {
      if (count === 0) return [];
      const expected = (await this.#expected.get(table)) ?? [];
      const ids = expected.splice(0, count);
      return ids.length === count ? ids : [...ids, ...(await this.#drawIds(table, count - ids.length))];
    },
    expectIds: (table, count) => {
      if (count === 0) return;
      const ids = this.#drawIds(table, count);
      // Nobody may ask for them.
      ids.catch(() => {});
      this.#expected.set(table, ids);
    },
  };

  begin(text: string): void {
    this.#pipeline.sendLater(text, text);
  }

  /** What was sent before goes with it, whether it succeeded or not. */
  async rollBack(text: string): Promise<void> {
    this.#pipeline.part();
    await this.#pipeline.ask(text, text);
  }

  /** Behind a statement that failed, PostgreSQL answers a COMMIT with a rollback. */
  async commit(): Promise<void> {
    try {
      const { command } = await this.#pipeline.ask('COMMIT', 'COMMIT');
      if (command !== 'COMMIT') throw new Error(`A COMMIT was answered with ${command}`);
    } catch (error) {
      throw this.isTrouble(error) ? error : new Undone('Something in the transaction failed', { cause: error });
    }
  }

  /** What comes late from a transaction that failed goes nowhere. */
  end(): void {
    this.#isOver = true;
  }

  settle(): Promise<void> {
    return this.#pipeline.settle();
  }

  isTrouble(error: unknown): boolean {
    return isUnreachable(error) || lostRace(error) || (this.forgivesBrokenKeys && brokeKey(error));
  }

  #refuseWhenOver(): void {
    if (this.#isOver) throw new Error('The transaction is over');
  }

  async #drawIds(table: TableWithIds, count: number): Promise<number[]> {
    this.#refuseWhenOver();
    const { rows } = await this.#pipeline.ask(nextIds, nextIds, [table, count]);
    return rows.map(({ id }) => Number(id));
  }

  #ask(
    statement: Pick<Statement<never, unknown>, 'compiledFor'>,
    args: Readonly<Record<string, SqlValue>>,
  ): Promise<Answer> {
    this.#refuseWhenOver();
    const compiled = statement.compiledFor('postgres');
    if (compiled.writes) this.hasWritten = true;
    return this.#pipeline.ask(statement, compiled.text, bind(compiled, args));
  }
}
