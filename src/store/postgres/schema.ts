// The schema on PostgreSQL: refuses a server that would lose commits, then brings the tables up to date.

import type { ClientBase } from 'pg';
import { StartError } from '../../errors.ts';
import { wordsOf } from '../migrations/migration.ts';
import { newestVersion, stepsFrom } from '../migrations/migrations.ts';

/** Advisory locks of Tocsin in its database. Any fixed numbers do, as long as every node uses the same. */
export const advisoryLocks = { migrating: 0x746301, sequencing: 0x746302, serving: 0x746303 } as const;

/** A server that does not sync its commits breaks the promise behind every 200. */
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

/** Brings the database to `version`, each step in a transaction; nodes that start together take turns. */
export async function migrate(client: ClientBase, version = newestVersion): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrating]);
  try {
    await client.query('create table if not exists schema_version (version bigint not null)');
    const { rows } = await client.query('select coalesce(max(version), 0)::int as version from schema_version');
    for (const step of stepsFrom(Number(rows[0]?.version))) {
      if (step.version > version) break;
      await client.query('begin');
      try {
        for (const text of step.statements(wordsOf.postgres)) await client.query(text);
        await client.query('insert into schema_version (version) values ($1)', [step.version]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrating]);
  }
}
