// The schema on PostgreSQL: refuses a server that would lose commits, then migrates the tables.

import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { StartError } from '../../errors.ts';
import { type Migration, wordsOf } from '../migration.ts';
import { newestVersion, type Schema, stepsFrom, upgradeNotice } from '../schema.ts';
import { isLocked } from './postgres-errors.ts';

/** Keys of Tocsin's advisory locks. Any fixed numbers do, as long as every node uses the same. */
export const advisoryLocks = { migrating: 0x746301, sequencing: 0x746302, serving: 0x746303 } as const;

/** Refuses a server that does not sync its commits: every 200 promises that the data is stored. */
export async function refuseUnsafeServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
  );
  const unsafe = rows.map((row: { name: string }) => `${row.name} = off`);
  if (unsafe.length > 0) {
    throw new StartError(
      `This PostgreSQL may lose what it said it stored (${unsafe.join(', ')}): turn it on in postgresql.conf and start again.`,
      'data-unusable',
    );
  }
}

/**
 * Migrates the database to `version`, each step in a transaction; a lock makes nodes that start together take turns. No node
 * of the version before may serve it, unless all steps allow that.
 */
export async function migrate(
  client: ClientBase,
  schema: Schema,
  onNotice: (sentence: string) => void = () => {},
  version = newestVersion(schema),
): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrating]);
  try {
    const from = await schemaVersion(client);
    const notice = upgradeNotice(from, version);
    if (notice !== undefined) onNotice(notice);
    const steps = stepsFrom(schema, from).filter((step) => step.version <= version);
    if (steps.length === 0) return;
    if (steps.every(({ servesOlderNodes }) => servesOlderNodes)) {
      for (const step of steps) await applyBesideNodes(client, step);
      return;
    }
    await lockOutNodes(client);
    try {
      for (const step of steps) await applyAlone(client, step);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [advisoryLocks.serving]);
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrating]);
  }
}

/**
 * Every node and command holds this lock shared. Held exclusively until it is released or the connection ends, it also
 * keeps nodes from starting.
 */
export async function lockOutNodes(client: ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [advisoryLocks.serving]);
  if (rows[0]?.held === true) return;
  throw new StartError(
    'A Tocsin is running on this database: stop every node and command, then try again. Nothing was changed.',
    'already-running',
  );
}

const waitsForTableMs = 1_000;
const besideNodesForMs = 60_000;

/**
 * Applies a step while nodes serve. A change of a table waits for whoever reads it, such as a backup, and everybody else waits
 * behind it: so it gives up soon, lets the others pass and tries again.
 */
async function applyBesideNodes(client: ClientBase, step: Migration): Promise<void> {
  const giveUpAt = performance.now() + besideNodesForMs;
  await client.query(`set lock_timeout = ${waitsForTableMs}`);
  try {
    for (;;) {
      try {
        return await applyAlone(client, step);
      } catch (error) {
        if (!isLocked(error) || performance.now() > giveUpAt) throw error;
      }
      await delay(waitsForTableMs);
    }
  } finally {
    await client.query('set lock_timeout = 0');
  }
}

async function applyAlone(client: ClientBase, step: Migration): Promise<void> {
  await client.query('begin');
  try {
    await apply(client, step);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function apply(client: ClientBase, step: Migration): Promise<void> {
  for (const text of step.statements(wordsOf.postgres)) await client.query(text);
  await client.query('create table if not exists schema_version (version bigint not null)');
  await client.query('alter table schema_version add column if not exists serves_older boolean not null default false');
  await client.query('insert into schema_version (version, serves_older) values ($1, $2)', [
    step.version,
    step.servesOlderNodes === true,
  ]);
}

/**
 * Whether the schema was changed so that a node of `version` cannot serve it. Reads a row as JSON, because a database that no
 * program of this version has changed yet lacks the column.
 */
export async function isOutdated(client: Pick<ClientBase, 'query'>, version: number): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from schema_version as step
      where step.version > $1 and (to_jsonb(step) ->> 'serves_older') is distinct from 'true' limit 1`,
    [version],
  );
  return rows.length > 0;
}

/** Returns 0 when the database has no Tocsin schema. */
export async function schemaVersion(client: Pick<ClientBase | Pool, 'query'>): Promise<number> {
  if (!(await hasTable(client, 'schema_version'))) return 0;
  const { rows } = await client.query('select coalesce(max(version), 0)::int as version from schema_version');
  return Number(rows[0]?.version);
}

export async function hasTable(client: Pick<ClientBase | Pool, 'query'>, table: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as here', [table]);
  return rows[0]?.here === true;
}

/** Whether the store was never started. */
export async function isEmptyStore(
  client: Pick<ClientBase | Pool, 'query'>,
  { filledAtStart }: Schema,
): Promise<boolean> {
  if (!(await hasTable(client, filledAtStart))) return true;
  return (await client.query(`select 1 from ${filledAtStart} limit 1`)).rows.length === 0;
}

/** Truncates the tables, which have the right version already, so that an administrator's grants on them remain. */
export async function emptyTables(client: ClientBase, { tables }: Schema): Promise<void> {
  const present: string[] = [];
  for (const table of tables) if (await hasTable(client, table)) present.push(table);
  if (present.length > 0) await client.query(`truncate ${present.join(', ')}`);
}

/** Drops our tables and creates those of `version`, in the caller's transaction. */
export async function rebuildTables(client: ClientBase, schema: Schema, version: number): Promise<void> {
  await client.query(
    `drop table if exists ${[...schema.tables, 'event_counter', 'schema_version'].join(', ')} cascade`,
  );
  for (const step of stepsFrom(schema, 0)) if (step.version <= version) await apply(client, step);
}

/** As migrate, in the caller's transaction. */
export async function migrateInTransaction(client: ClientBase, schema: Schema): Promise<void> {
  for (const step of stepsFrom(schema, await schemaVersion(client))) await apply(client, step);
}
