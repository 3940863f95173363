// Selects the databases that the tests run on, and creates PostgreSQL databases for tests.

import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { Pool } from 'pg';

const storeNames = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof storeNames)[number];

/** The databases named in STORES, such as `STORES=sqlite`; all of them when it is not set. */
export function storesUnderTest(): readonly StoreName[] {
  const chosen = process.env.STORES?.split(',').map((name) => name.trim()) ?? storeNames;
  return chosen.map((name) => {
    const known = storeNames.find((candidate) => candidate === name);
    if (known === undefined) throw new Error(`STORES names "${name}"; it may name ${storeNames.join(', ')}`);
    return known;
  });
}

/** Databases with all tables and no rows, which `npm test` creates once per run; none when a test file is run directly. */
export const templates = {
  /** The file of a SQLite database. */
  sqlite: process.env.TOCSIN_TEST_SQLITE_TEMPLATE,
  /** The name of a database on the PostgreSQL server. */
  postgres: process.env.TOCSIN_TEST_POSTGRES_TEMPLATE,
};

/** The address of a new PostgreSQL database that is dropped after the test; empty unless copied from a template. */
export async function freshPostgresDatabase(t: TestContext, template = 'template1'): Promise<string> {
  const server = process.env.TOCSIN_TEST_POSTGRES_URL;
  if (!server) throw new Error('TOCSIN_TEST_POSTGRES_URL is not set: run through npm test, which starts a PostgreSQL');
  const name = `tocsin_test_${randomBytes(8).toString('hex')}`;
  // Copying files takes less than half the processor time of copying through the write-ahead log, which is the default.
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  // Hooks run in the order in which they were added: added from within a hook, the drop runs after those that close
  // connections.
  t.after(() => t.after(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`)));
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

let pool: Pool | undefined;

/**
 * Runs the statement over one connection per process, because a new one takes the server as long as copying a database;
 * while it is idle, the process may end.
 */
async function query(server: string, sql: string): Promise<void> {
  pool ??= new Pool({ connectionString: server, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  await pool.query(sql);
}
