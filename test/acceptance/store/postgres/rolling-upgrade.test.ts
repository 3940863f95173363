// PostgreSQL: a newer node changes the schema while an older one serves, and both go on.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { exitCodes } from '../../../../src/errors.ts';
import { schema } from '../../../../src/migrations/schema.ts';
import type { Migration } from '../../../../src/store/migration.ts';
import { openPostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { advisoryLocks } from '../../../../src/store/postgres/schema.ts';
import { newestVersion, type Schema } from '../../../../src/store/schema.ts';
import { ownThreads } from '../../../harness/server/built-server.ts';
import { startServer } from '../../../harness/server/server-process.ts';
import { freshStore } from '../../../harness/site/app.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { freshPostgresDatabase, storesUnderTest } from '../../../harness/stores/stores.ts';
import { until } from '../../../harness/until.ts';

const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

/** The schema of the next version, which has one more column in every table. */
function nextSchema(isForOlderNodes: boolean): Schema {
  const step: Migration = {
    version: newestVersion(schema) + 1,
    name: 'a column in every table',
    ...(isForOlderNodes ? { servesOlderNodes: true } : {}),
    statements: () =>
      schema.tables.map((name) => `alter table "${name}" add column added_later bigint not null default 0`),
  };
  return { ...schema, migrations: [...schema.migrations, step] };
}

function urlOf(site: Site): string {
  return site.app.environment.TOCSIN_DATABASE_URL ?? '';
}

async function openNewer(t: TestContext, url: string, newer: Schema): Promise<void> {
  const options = { schemaChange: 'make-or-upgrade', startWorker: ownThreads, now: Date.now } as const;
  const store = await openPostgresStore({ url, schema: newer, ...options, onTrouble: () => {} });
  t.after(() => store.close());
}

/** Everything that can be read without naming something. */
async function readEverything(site: Site): Promise<void> {
  const { paths } = await site.ask<{ paths: Record<string, { get?: unknown }> }>('GET', '/openapi.json');
  const readable = Object.entries(paths).filter(([path, { get }]) => get !== undefined && !path.includes('{'));
  assert.ok(readable.length > 30, String(readable.length));
  for (const [path] of readable) {
    const { status, text } = await site.app.request('GET', path, { token: site.token });
    assert.ok(status < 500 || path === '/health/calling', `${path}: ${text}`);
  }
}

/** What a plant and its people do in an hour, with every answer checked. */
async function live(site: Site, name: string): Promise<void> {
  const ana = await site.person(name, {
    numbers: [voice(`+3310000000${name.length}`), sms(`+3360000000${name.length}`)],
  });
  const group = await site.group(`Group ${name}`, [await site.team(`Team ${name}`, [ana])]);
  await site.alarms.raise(group, { path: `Pump of ${name}` });
  await ana.isCalled();
  await ana.takes();
  await readEverything(site);
}

test('an older node goes on when a newer one has added a column to every table', { skip }, async (t) => {
  const site = await startSite(t, 'postgres');
  await live(site, 'ana');
  await openNewer(t, urlOf(site), nextSchema(true));
  await live(site, 'beatrice');
  // PostgreSQL ends a query that waits for the change while the change waits for it; the server asks again.
  const isDeadlock = (line: object): boolean => (line as { err?: { code?: string } }).err?.code === '40P01';
  assert.deepEqual(
    site.app.logLines.filter((line) => line.level >= 40 && !isDeadlock(line)),
    [],
  );
});

test('a newer node whose change does not allow older ones does not start beside them', { skip }, async (t) => {
  const site = await startSite(t, 'postgres');
  await assert.rejects(openNewer(t, urlOf(site), nextSchema(false)), /A Tocsin is running on this database/);
  await live(site, 'ana');
});

test('a change of the schema lets alarms pass while it waits for a long reader, and no request fails', {
  skip,
}, async (t) => {
  const site = await startSite(t, 'postgres');
  const reader = new Client({ connectionString: urlOf(site) });
  await reader.connect();
  await reader.query('begin; select count(*) from alarms; select count(*) from events');
  let isOver = false;
  const upgraded = openNewer(t, urlOf(site), nextSchema(true)).finally(() => {
    isOver = true;
  });
  const answers: number[] = [];
  for (let n = 0; !isOver; n++) {
    const { status } = await site.request('POST', '/alarms', { path: `Pump ${n}`, alarmMessage: 'hot' });
    answers.push(status);
    if (n === 20) await reader.end();
  }
  await upgraded;
  assert.deepEqual(
    answers.filter((status) => status !== 200),
    [],
  );
  assert.ok(answers.length > 20, String(answers.length));
});

for (const servesOlderNodes of [false, true]) {
  const ends = servesOlderNodes ? 'goes on' : 'ends';
  test(`a node that was frozen while the schema was changed ${ends} when the change ${servesOlderNodes ? 'allows' : 'does not allow'} older nodes`, {
    skip,
  }, async (t) => {
    const url = await freshPostgresDatabase(t);
    const { TOCSIN_DATA_DIR = '' } = await freshStore(t, 'sqlite');
    const server = await startServer({ TOCSIN_DATA_DIR, TOCSIN_DATABASE_URL: url, TOCSIN_PORT: '0' });
    t.after(() => server.end('SIGKILL'));
    process.kill(server.pid, 'SIGSTOP');
    const admin = new Client({ connectionString: url });
    await admin.connect();
    t.after(() => admin.end());
    // As PostgreSQL does with the sessions of a silent node.
    const others = 'datname = current_database() and pid <> pg_backend_pid()';
    await admin.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where ${others}`);
    await openNewer(t, url, nextSchema(servesOlderNodes));
    if (servesOlderNodes) {
      process.kill(server.pid, 'SIGCONT');
      const serving = `select count(*)::int as nodes from pg_locks where locktype = 'advisory' and objid = $1 and granted`;
      await until(
        async () => (await admin.query(serving, [advisoryLocks.serving])).rows[0]?.nodes,
        (nodes) => nodes === 2,
      );
      assert.equal((await fetch(`${server.url}/health/ready`)).status, 200);
    } else {
      const { code, output } = await server.end('SIGCONT');
      assert.equal(code, exitCodes['storage-failed']);
      assert.match(output, /the database was upgraded from schema \d+: start the new version/);
    }
  });
}
