// Returns the plans of a query or an operation: runs it, records its statements, and has the database explain each.

import type { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import { PreparedConnection as PostgresConnection } from '../../../src/store/postgres/prepared-connection.ts';
import { PreparedConnection as SqliteConnection } from '../../../src/store/sqlite/prepared-connection.ts';
import {
  bind,
  type Compilable,
  type CompiledStatement,
  type DatabaseKind,
  type SqlValue,
} from '../../../src/store/statement.ts';
import type { Query, Tx } from '../../../src/store/store.ts';

export type Plan = {
  readonly text: string;
  /** One line per step, such as `SEARCH alarm_histories USING INDEX …` or `Index Scan alarm_histories …`. */
  readonly steps: readonly string[];
};

type Executed = { readonly compiled: CompiledStatement; readonly values: readonly SqlValue[] };

/** A query, or an operation at some time; rows that are written by their keys are not explained. */
type Explained<A> = Pick<Query<A, unknown>, 'name'> & { readonly run: (tx: Tx, args: A) => Promise<unknown> };

/** A transaction that records the statements it executes. */
function noting(tx: Tx, kind: DatabaseKind): { tx: Tx; executed: Executed[] } {
  const executed: Executed[] = [];
  const note = (statement: Compilable, args: Readonly<Record<string, SqlValue>>) => {
    const compiled = statement.compiledFor(kind);
    executed.push({ compiled, values: bind(compiled, args) });
  };
  return {
    executed,
    tx: {
      ...tx,
      one: (statement, args) => {
        note(statement, args);
        return tx.one(statement, args);
      },
      all: (statement, args) => {
        note(statement, args);
        return tx.all(statement, args);
      },
      run: (statement, args) => {
        note(statement, args);
        return tx.run(statement, args);
      },
    },
  };
}

export async function plansOnSqlite<A>(db: DatabaseSync, query: Explained<A>, args: A): Promise<readonly Plan[]> {
  const { tx, executed } = noting(new SqliteConnection(db).tx, 'sqlite');
  await query.run(tx, args);
  return executed.map(({ compiled: { text }, values }) => ({
    text,
    steps: db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
      .map(({ detail }) => String(detail)),
  }));
}

/** `mode`: plans for these values, or a generic plan, which PostgreSQL may use after some executions. */
export async function plansOnPostgres<A>(
  client: Client,
  query: Explained<A>,
  args: A,
  mode: 'custom' | 'generic' = 'custom',
): Promise<readonly Plan[]> {
  const { tx, executed } = noting(new PostgresConnection(client).tx, 'postgres');
  await query.run(tx, args);
  const plans: Plan[] = [];
  await client.query(`set plan_cache_mode = force_${mode}_plan`);
  for (const { compiled, values } of executed) {
    await client.query(`prepare explained as ${compiled.text}`);
    const given = values.map((value) => (value === null ? 'null' : client.escapeLiteral(String(value))));
    const words = given.length === 0 ? '' : `(${given.join(', ')})`;
    const { rows } = await client.query(`explain (format json) execute explained${words}`);
    plans.push({ text: compiled.text, steps: stepsOf(rows[0]['QUERY PLAN'][0].Plan) });
    await client.query('deallocate explained');
  }
  await client.query('reset plan_cache_mode');
  return plans;
}

type PostgresPlan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PostgresPlan[];
};

/** Explains a statement without values: with the plan that PostgreSQL has for any. */
export async function genericPlan(client: Client, text: string): Promise<Plan> {
  const { rows } = await client.query(`explain (generic_plan, format json) ${text}`);
  return { text, steps: stepsOf(rows[0]['QUERY PLAN'][0].Plan) };
}

function stepsOf(plan: PostgresPlan): string[] {
  const words = [plan['Node Type'], plan['Relation Name'], plan['Index Name'], plan['Index Cond']];
  return [words.filter((word) => word !== undefined).join(' '), ...(plan.Plans ?? []).flatMap(stepsOf)];
}
