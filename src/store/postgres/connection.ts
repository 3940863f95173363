// How we talk to PostgreSQL: connection options, and statements prepared by name on a connection, seen as the port's Tx.

import { types as builtInTypes, type ClientBase, type ClientConfig, type QueryResult } from 'pg';
import type { WriteConnection } from '../group-commit.ts';
import { bind, type SqlValue, type Statement } from '../statement.ts';
import type { Tx } from '../store.ts';
import { brokeKey, isUnreachable, lostRace } from './postgres-errors.ts';

const bigintType = 20;
const numericType = 1700;

/** bigint and sums come as text by default; ours all fit into a number. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintType || oid === numericType ? Number : builtInTypes.getTypeParser(oid, format as 'text'),
} as NonNullable<ClientConfig['types']>;

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

/** Names are per process and never change meaning, so that each connection prepares a statement at most once. */
const names = new WeakMap<object, string>();
let named = 0;

function nameOf(statement: object): string {
  let name = names.get(statement);
  if (name === undefined) {
    name = `tocsin_${++named}`;
    names.set(statement, name);
  }
  return name;
}

const nextIds = `with found as materialized (select pg_get_serial_sequence($1, 'id')::regclass as sequence)
  select nextval(sequence) as id from found, generate_series(1, $2::int)`;

/**
 * A connection lent by the pool, seen as the port's transaction; whoever uses it begins and ends the transaction. What has
 * no answer to wait for, which is most of what an alarm writes, is sent on, and its failure shows in what is asked next:
 * a batch of alarms then waits for the database some eight times instead of twenty.
 */
export class PreparedConnection implements WriteConnection {
  readonly #client: ClientBase;
  /** Sent, and not known to have succeeded. */
  #sent: Promise<unknown>[] = [];
  hasWritten = false;
  /** Whether a broken key is still taken for a lost race. */
  forgivesBrokenKeys = true;

  constructor(client: ClientBase) {
    this.#client = client;
  }

  readonly tx: Tx = {
    one: async (statement, args) => (await this.#ask(statement, args)).rows[0],
    all: async (statement, args) => (await this.#ask(statement, args)).rows,
    run: async (statement, args) => (await this.#ask(statement, args)).rowCount ?? 0,
    insert: async (statement, args) => Number((await this.#ask(statement, args)).rows[0]?.id),
    each: async (rowSet, rows) => {
      if (rows.length > 0) this.#sendOn(this.#execute(rowSet, { rows: JSON.stringify(rows) }));
    },
    nextIds: async (table, count) => {
      if (count === 0) return [];
      const query = { name: 'tocsin_next_ids', text: nextIds, values: [table, count] };
      const { rows } = await this.#answerTo(this.#client.query(query));
      return rows.map(({ id }) => Number(id));
    },
  };

  begin(text: string): void {
    this.#sendOn(this.#client.query(text));
  }

  /** What was sent before goes with it, whether it succeeded or not. */
  async rollBack(text: string): Promise<void> {
    this.#sent = [];
    await this.#client.query(text);
  }

  async commit(): Promise<void> {
    await this.#answerTo(this.#client.query('COMMIT'));
  }

  async settle(): Promise<void> {
    const sent = this.#sent;
    this.#sent = [];
    // In order: the first that failed says why, and those behind it only that the transaction is over.
    for (const answer of sent) await answer;
  }

  isTrouble(error: unknown): boolean {
    return isUnreachable(error) || lostRace(error) || (this.forgivesBrokenKeys && brokeKey(error));
  }

  #sendOn(answer: Promise<unknown>): void {
    answer.catch(() => {});
    this.#sent.push(answer);
  }

  async #answerTo<T>(answer: Promise<T>): Promise<T> {
    answer.catch(() => {});
    await this.settle();
    return answer;
  }

  #ask(
    statement: Pick<Statement<never, unknown>, 'compiledFor'>,
    args: Readonly<Record<string, SqlValue>>,
  ): Promise<QueryResult> {
    return this.#answerTo(this.#execute(statement, args));
  }

  #execute(
    statement: Pick<Statement<never, unknown>, 'compiledFor'>,
    args: Readonly<Record<string, SqlValue>>,
  ): Promise<QueryResult> {
    const compiled = statement.compiledFor('postgres');
    if (compiled.writes) this.hasWritten = true;
    return this.#client.query({ name: nameOf(statement), text: compiled.text, values: bind(compiled, args) });
  }
}
