// A damaged SQLite file: noticed by a reader or by a check beside the server, told by health, alarm and refusals, and not by 500.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { exitCodes } from '../../../src/errors.ts';
import { FileChecks } from '../../../src/store/threads/file-checks.ts';
import { ownThreads } from '../../harness/server/built-server.ts';
import { damageOldestPage, damageWholeTable } from '../../harness/server/damage.ts';
import { runHere } from '../../harness/server/run-command.ts';
import { runTocsin, startServer } from '../../harness/server/server-process.ts';
import { freshStore, migratedStore, startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { until } from '../../harness/until.ts';

const skip = storesUnderTest().includes('sqlite') ? false : 'needs SQLite';

/** A data folder with several pages of history, whose server has ended cleanly. */
async function usedFolder(t: TestContext) {
  const environment = await migratedStore(t, 'sqlite');
  const app = await startOn(t, environment);
  const token = await app.signIn();
  const body = Array.from({ length: 600 }, (_, n) => ({ path: `Line ${n}`, raised: true }));
  await app.request('POST', '/api/v1/alarms/batch', { token, body });
  await app.stop();
  return { environment, file: join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db') };
}

type Problem = { readonly detail?: string };

test('sqlite: damage that a reader notices turns health red, raises an alarm and refuses alarms with its name', {
  skip,
}, async (t) => {
  const { environment, file } = await usedFolder(t);
  const app = await startOn(t, environment, fakeClock(), true);
  const token = await app.signIn();
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, path, { token, ...(body === undefined ? {} : { body }) });
  assert.equal((await ask('GET', '/health/ready')).status, 200);
  damageOldestPage(file, 'alarm_histories');
  const read = await ask('GET', '/api/v1/alarms/histories?sort=id');
  assert.equal(read.status, 503);
  assert.match((read.body as Problem).detail ?? '', /damaged.*tocsin rescue/);
  for (const path of ['/health/ready', '/health/calling'])
    await until(
      () => ask('GET', path),
      ({ status }) => status === 503,
    );
  for (const [path, body] of [
    ['/api/v1/alarms', { path: 'fire' }],
    ['/api/v1/alarms/batch', [{ path: 'fire' }]],
    ['/api/v1/tags/values', [{ path: 'fire', value: '1' }]],
  ] as const) {
    const { status, body: problem } = await ask('POST', path, body);
    assert.deepEqual([status, /damaged/.test((problem as Problem).detail ?? '')], [503, true], path);
  }
  const own = await until(
    async () =>
      (await ask('GET', '/api/v1/alarms?search=store-damaged')).body as { items: { path: string; state: number }[] },
    ({ items }) => items.length > 0,
  );
  assert.deepEqual(
    own.items.map(({ path, state }) => [path, state]),
    [['system/store-damaged', 3]],
  );
});

test('sqlite: damage that a backup of the server finds turns health red', { skip }, async (t) => {
  const { environment, file } = await usedFolder(t);
  const { TOCSIN_DATA_DIR: folder = '' } = await freshStore(t, 'sqlite');
  const app = await startOn(t, { ...environment, TOCSIN_BACKUP_DIR: folder }, fakeClock(), true);
  damageOldestPage(file, 'alarm_histories');
  await app.polled.backups?.poll();
  await until(
    async () => (await fetch(`${app.url}/health/ready`)).status,
    (status) => status === 503,
  );
});

test('sqlite: a large file that ended cleanly is checked beside the server, after a crash before it starts', {
  skip,
}, async (t) => {
  const { environment, file } = await usedFolder(t);
  const db = new DatabaseSync(file);
  db.exec(`INSERT INTO call_messages (text, num, audio, file, actor, created_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 110)
    SELECT '', 0, printf('%.*c', 1000000, 'A'), '', 'user:1', ${Date.now()} FROM n`);
  db.close();
  damageOldestPage(file, 'alarm_histories');
  const listed = await runTocsin(environment, ['key', 'list']);
  assert.equal(listed.code, 0, `a command does not check all of it: ${listed.output}`);
  const server = await startServer(environment);
  let isEnded = false;
  t.after(() => (isEnded ? undefined : server.end('SIGKILL')));
  await until(
    async () => (await fetch(`${server.url}/health/ready`)).status,
    (status) => status === 503,
  );
  await server.end('SIGKILL');
  isEnded = true;
  const again = await runTocsin(environment, ['serve']);
  assert.equal(again.code, exitCodes['data-unusable'], again.output);
  assert.match(again.output, /is damaged/);
});

test('sqlite: a stop ends a check that is in the middle of a large table', { skip }, async (t) => {
  const { TOCSIN_DATA_DIR: folder = '' } = await freshStore(t, 'sqlite');
  const file = join(folder, 'answers-never.db');
  // SQLite waits for it as long as nobody writes to it: what only ends between two statements would wait as well.
  execFileSync('mkfifo', [file]);
  const found: unknown[] = [];
  const checks = new FileChecks(
    () => ownThreads({ role: 'checker', file, isServer: true }),
    (problem) => found.push(problem),
  );
  checks.begin();
  await checks.close();
  assert.deepEqual(found, []);
});

test('sqlite: rescue takes what can be read out of a damaged file, and a restore goes on with it', {
  skip,
}, async (t) => {
  const { environment, file } = await usedFolder(t);
  damageOldestPage(file, 'alarm_histories');
  const backup = join(environment.TOCSIN_DATA_DIR ?? '', 'rescued.backup');
  await assert.rejects(runHere(t, environment, 'backup', `${backup}.not`), /is damaged/);
  const { out } = await runHere(t, environment, 'rescue', backup);
  const [, kept = ''] = /alarm_histories (\d+)/.exec(out) ?? [];
  const [, lost = ''] = /could not be read of alarm_histories \((\d+) ids in one place\)/.exec(out) ?? [];
  assert.ok(Number(kept) > 300, out);
  assert.equal(Number(kept) + Number(lost), 600, out);
  assert.match((await runHere(t, environment, 'backup', 'verify', backup)).out, /alarms 600/);
  await runHere(t, environment, 'restore', backup, '--replace');
  const app = await startOn(t, environment);
  const token = await app.signIn();
  const { body } = await app.request('GET', '/api/v1/alarms/histories?limit=1000', { token });
  assert.equal((body as { items: unknown[] }).items.length, Number(kept));
  assert.equal((await app.request('POST', '/api/v1/alarms', { token, body: { path: 'goes on' } })).status, 200);
});

for (const table of ['users', 'stations', 'data_servers'])
  test(`sqlite: what refers to ${table} that are lost does not keep the rest from being restored`, {
    skip,
  }, async (t) => {
    const { environment, file } = await usedFolder(t);
    damageWholeTable(file, table);
    const backup = join(environment.TOCSIN_DATA_DIR ?? '', 'rescued.backup');
    const { out } = await runHere(t, environment, 'rescue', backup);
    assert.match(out, new RegExp(`could not be read of ${table}`));
    if (table === 'users') assert.match(out, /Left out, because what they belong to is lost: .*user_numbers 1/);
    else assert.match(out, new RegExp(`Made anew, .*: ${table} \\d+`));
    for (const kind of storesUnderTest()) {
      const store = kind === 'sqlite' ? environment : await freshStore(t, kind);
      await runHere(t, store, 'restore', backup, '--replace');
      const app = await startOn(t, store);
      const token = await app.signIn();
      const { body } = await app.request('GET', '/api/v1/alarms?limit=1000', { token });
      const { items } = body as { items: readonly { path: string }[] };
      assert.equal(items.filter(({ path }) => path.startsWith('Line')).length, 600);
      assert.equal((await app.request('POST', '/api/v1/alarms', { token, body: { path: 'goes on' } })).status, 200);
      await app.stop();
    }
  });

test('sqlite: rescue says when it is lost which stations people are bound to', { skip }, async (t) => {
  const { environment, file } = await usedFolder(t);
  damageWholeTable(file, 'user_stations');
  const { out } = await runHere(t, environment, 'rescue', join(environment.TOCSIN_DATA_DIR ?? '', 'rescued.backup'));
  assert.match(out, /could not be read of user_stations/);
  assert.match(out, /whoever is bound to none sees all: check them/);
});
