// Upgrade fixtures: saves the store of a stopped server as files, and restores those files into a new store.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { freshStore } from '../site/app.ts';
import type { Site } from '../site/site.ts';
import type { Row } from '../site/site-caller.ts';
import type { StoreName } from '../stores/stores.ts';
import { tablesOf } from '../stores/table-rows.ts';
import { dumpPostgres, loadPostgres } from './postgres-text.ts';
import type { UnderWay } from './upgrade-calls.ts';
import type { SiteTokens } from './upgrade-site.ts';

const home = fileURLToPath(new URL('../../fixtures/upgrade', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** An attempt as the call history prints it, without `detail`, whose wording may change. */
export type Attempt = Readonly<Record<'startTime' | 'user' | 'channel' | 'address' | 'cause', string>> & {
  readonly attempt: number;
};

/** Recorded by the version that made the fixture, for the test to compare with. */
export type Expected = UnderWay & {
  /** The time of its clock, in milliseconds since 1970. */
  readonly clock: number;
  readonly settings: Environment;
  readonly tokens: SiteTokens;
  readonly rows: Readonly<Record<string, number>>;
  /** Responses to the administrator, by path. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Every attempt of the next twenty minutes, in which nobody answers. */
  readonly unattended: readonly Attempt[];
};

/** The labels of all fixtures, in alphabetical order. */
export async function upgradeFixtures(): Promise<readonly string[]> {
  const entries = await readdir(home, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

const packedAnswers = 'expected.json.gz';
const packedSql = 'database.sql.gz';

export async function readExpected(label: string, kind: StoreName): Promise<Expected> {
  return JSON.parse(gunzipSync(await readFile(join(home, label, kind, packedAnswers))).toString());
}

export async function writeExpected(label: string, kind: StoreName, expected: Expected): Promise<void> {
  const text = `${JSON.stringify(expected, null, 1)}\n`;
  await writeFile(join(home, label, kind, packedAnswers), gzipSync(text, { level: 9 }));
}

/** Writes the data folder and the database of a stopped server into the fixture. */
export async function saveFixture(label: string, kind: StoreName, environment: Environment): Promise<void> {
  const target = join(home, label, kind);
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, 'folder'), { recursive: true });
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  checkpoint(join(folder, 'tocsin.db'));
  for (const name of await readdir(folder)) {
    // The lock belongs to the running process.
    if (name === 'server.lock') continue;
    const content = gzipSync(await readFile(join(folder, name)), { level: 9 });
    await writeFile(join(target, 'folder', `${name}.gz`), content);
  }
  const url = environment.TOCSIN_DATABASE_URL;
  if (url === undefined) return;
  await writeFile(join(target, packedSql), gzipSync(await dumpPostgres(url), { level: 9 }));
}

/** Checkpoints the write-ahead log; closing the only connection removes it. */
function checkpoint(file: string): void {
  if (!existsSync(file)) return;
  const db = new DatabaseSync(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Restores the fixture into a new store, which is removed after the test; returns the settings to open it with. */
export async function restoreFixture(t: TestContext, label: string, kind: StoreName): Promise<Environment> {
  const source = join(home, label, kind);
  const environment = await freshStore(t, kind);
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  for (const name of await readdir(join(source, 'folder'))) {
    const content = gunzipSync(await readFile(join(source, 'folder', name)));
    await writeFile(join(folder, name.replace(/\.gz$/, '')), content);
  }
  const url = environment.TOCSIN_DATABASE_URL;
  if (url !== undefined) await loadPostgres(url, gunzipSync(await readFile(join(source, packedSql))).toString());
  return environment;
}

/**
 * Advances the clock by twenty minutes while nobody answers; returns the attempts that were made. Rows of attempts that were
 * held back are left out: which of two calls waits for a line may differ from run to run.
 */
export async function unattendedAttempts(site: Site): Promise<readonly Attempt[]> {
  const since = site.app.clock.now();
  await site.advance('20m');
  const rows = (await site.callHistories()) as readonly (Row & Attempt)[];
  return rows
    .filter(({ startTime, attempt }) => attempt > 0 && Date.parse(startTime) >= since)
    .map(({ startTime, user, channel, address, cause, attempt }) => ({
      startTime,
      user,
      channel,
      address,
      cause,
      attempt,
    }))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

export type Rows = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>;

/** Reads every row of every table of the database, by the database's own list of tables. */
export async function everyRow(environment: Environment): Promise<Rows> {
  const reader = await tablesOf(environment);
  try {
    const isPostgres = environment.TOCSIN_DATABASE_URL !== undefined;
    const names = await reader.select(isPostgres ? postgresTables : sqliteTables);
    const rows = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
    for (const { name } of names as readonly { name: string }[])
      rows.set(name, (await reader.select(`SELECT * FROM ${name}`)) as never);
    return rows;
  } finally {
    await reader.close();
  }
}

const sqliteTables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`;
const postgresTables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`;
