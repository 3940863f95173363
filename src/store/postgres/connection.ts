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

/** For work that may take its time, such as a migration or a backup: the time-outs are for requests. */
export function patientConfig(url: string): ClientConfig {
  return {
    ...clientConfig(url),
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

/** A connection lent by the pool, seen as the port's transaction; whoever uses it begins and ends the transaction. */
export class PreparedConnection implements WriteConnection {
  readonly #client: ClientBase;
  hasWritten = false;
  /** Whether a broken key is still taken for a lost race. */
  forgivesBrokenKeys = true;

  constructor(client: ClientBase) {
    this.#client = client;
  }

  readonly tx: Tx = {
    one: async (statement, args) => (await this.#execute(statement, args)).rows[0],
    all: async (statement, args) => (await this.#execute(statement, args)).rows,
    run: async (statement, args) => (await this.#execute(statement, args)).rowCount ?? 0,
    insert: async (statement, args) => Number((await this.#execute(statement, args)).rows[0]?.id),
    each: async (rowSet, rows) => {
      if (rows.length > 0) await this.#execute(rowSet, { rows: JSON.stringify(rows) });
    },
    nextIds: async (table, count) => {
      if (count === 0) return [];
      const { rows } = await this.#client.query({ name: 'tocsin_next_ids', text: nextIds, values: [table, count] });
      return rows.map(({ id }) => Number(id));
    },
  };

  async exec(text: string): Promise<void> {
    await this.#client.query(text);
  }

  async commit(): Promise<void> {
    await this.exec('COMMIT');
  }

  isTrouble(error: unknown): boolean {
    return isUnreachable(error) || lostRace(error) || (this.forgivesBrokenKeys && brokeKey(error));
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
