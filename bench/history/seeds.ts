// The stores that the history is measured on: created once and kept in a folder for later runs.

import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { number, secondsSince, showProgress } from '../../src/cli/progress.ts';
import type { DatabaseKind } from '../../src/store/statement.ts';
import { seedStore } from '../seed/seed-store.ts';
import { dayMs } from '../seed/year.ts';
import { password } from '../server.ts';

/** The plant also has ten stations. */
const plant = { tags: 20_000, users: 20, spanMs: 365 * dayMs };

export type SeededStore = {
  readonly kind: DatabaseKind;
  readonly rows: number;
  readonly folder: string;
  readonly databaseUrl: string | undefined;
};

/** Returns a store with `rows` entries below `home`; `server` is the PostgreSQL server kept there too. */
export async function seededStore(home: string, rows: number, server?: string): Promise<SeededStore> {
  return server === undefined ? seededSqlite(home, rows) : seededPostgres(home, rows, server);
}

async function seededSqlite(home: string, rows: number): Promise<SeededStore> {
  const folder = join(home, `sqlite-${rows}`);
  if (!existsSync(folder)) {
    // Under a temporary name until it is complete.
    const temporary = `${folder}.new`;
    await rm(temporary, { recursive: true, force: true });
    await seed(temporary, rows, undefined);
    await rename(temporary, folder);
  }
  return { kind: 'sqlite', rows, folder, databaseUrl: undefined };
}

async function seededPostgres(home: string, rows: number, server: string): Promise<SeededStore> {
  const name = `seed_${rows}`;
  const folder = join(home, `postgres-${rows}`);
  await mkdir(folder, { recursive: true });
  const admin = new Client({ connectionString: server });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      await admin.query(`drop database if exists ${name}_new`);
      await admin.query(`create database ${name}_new`);
      await seed(folder, rows, urlOf(server, `${name}_new`));
      await admin.query(`alter database ${name}_new rename to ${name}`);
      await admin.query('checkpoint');
    }
  } finally {
    await admin.end();
  }
  return { kind: 'postgres', rows, folder, databaseUrl: urlOf(server, name) };
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = database;
  return url.href;
}

async function seed(folder: string, rows: number, databaseUrl: string | undefined): Promise<void> {
  const begin = performance.now();
  const progress = showProgress(`making up ${databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'}`, rows);
  const now = Date.now();
  await seedStore({
    folder,
    databaseUrl,
    rows,
    ...plant,
    now,
    adminPassword: password,
    onRows: (more) => progress.add(more),
    onStep: () => progress.end(),
  });
  console.log(`${number(rows)} entries made up in ${secondsSince(begin)}`);
}
