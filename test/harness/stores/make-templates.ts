// Creates the template databases that tests copy instead of running all migrations; see `templates` in stores.ts.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { schema } from '../../../src/migrations/schema.ts';
import { migrate } from '../../../src/store/postgres/schema.ts';
import { prepareDatabase } from '../../../src/store/sqlite/database-file.ts';

export type Templates = { readonly environment: Readonly<Record<string, string>>; remove(): Promise<void> };

/** Creates a template for SQLite, and one on the PostgreSQL server when there is one. */
export async function makeTemplates(postgresUrl: string | undefined): Promise<Templates> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-template-'));
  const postgres = postgresUrl === undefined ? undefined : await makePostgresTemplate(postgresUrl);
  return {
    environment: {
      TOCSIN_TEST_SQLITE_TEMPLATE: (await prepareDatabase(folder, schema, { schemaChange: 'make-or-upgrade' })).file,
      ...(postgres && { TOCSIN_TEST_POSTGRES_TEMPLATE: postgres.name }),
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
      await postgres?.drop();
    },
  };
}

async function makePostgresTemplate(server: string) {
  const name = `tocsin_template_${randomBytes(8).toString('hex')}`;
  await using(server, (client) => client.query(`CREATE DATABASE ${name}`));
  const database = new URL(server);
  database.pathname = name;
  await using(database.href, (client) => migrate(client, schema));
  return { name, drop: () => using(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)) };
}

async function using(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
