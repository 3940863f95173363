// A database file copied without its -wal file is refused; a crash, a clean stop and a restore are not.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { exitCodes, StartError } from '../../../../src/errors.ts';
import { schema } from '../../../../src/migrations/schema.ts';
import { raiseHighWater } from '../../../../src/store/backup/high-water.ts';
import { prepareDatabase } from '../../../../src/store/sqlite/database-file.ts';
import { runHere } from '../../../harness/server/run-command.ts';
import { runTocsin, startServer } from '../../../harness/server/server-process.ts';
import { startOn, startTestApp, type TestApp } from '../../../harness/site/app.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';

const skip = storesUnderTest().includes('sqlite') ? false : 'needs SQLite';

type Environment = Readonly<Record<string, string>>;

function fileOf({ TOCSIN_DATA_DIR = '' }: Environment): string {
  return join(TOCSIN_DATA_DIR, 'tocsin.db');
}

/** Copies the database in pieces, such as `['', '-wal']`, into an empty folder, and returns the settings of that. */
function copyOf(t: TestContext, environment: Environment, endings: readonly string[]): Environment {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-copy-'));
  t.after(() => t.after(() => rmSync(folder, { recursive: true })));
  const copy = { ...environment, TOCSIN_DATA_DIR: folder };
  for (const ending of endings) copyFileSync(fileOf(environment) + ending, fileOf(copy) + ending);
  return copy;
}

async function assertRefused(t: TestContext, environment: Environment): Promise<void> {
  const before = readdirSync(environment.TOCSIN_DATA_DIR ?? '');
  await assert.rejects(startOn(t, environment), (error) => {
    assert.ok(error instanceof StartError, String(error));
    assert.equal(error.exitCode, exitCodes['data-unusable']);
    assert.match(
      error.message,
      /tocsin\.db lacks its newest data.*tocsin\.db-wal.*tocsin backup FILE.*tocsin restore/s,
    );
    return true;
  });
  assert.deepEqual(
    readdirSync(environment.TOCSIN_DATA_DIR ?? '').filter((name) => name !== 'server.lock'),
    before.filter((name) => name !== 'server.lock'),
  );
}

async function addGroup(app: TestApp, token: string, name: string): Promise<void> {
  assert.equal((await app.request('POST', '/api/v1/taggroups', { token, body: { name } })).status, 200);
}

async function groupsOf(app: TestApp): Promise<readonly string[]> {
  const answer = await app.request('GET', '/api/v1/taggroups', { token: await app.signIn() });
  return (answer.body as { items: { name: string }[] }).items.map(({ name }) => name);
}

test('a copy of the file of a running server is refused again and again, and serves when its -wal file is there', {
  skip,
}, async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await addGroup(app, await app.signIn(), 'newest');
  const bare = copyOf(t, app.environment, ['']);
  const whole = copyOf(t, app.environment, ['', '-wal']);
  await app.stop();
  await assertRefused(t, bare);
  // As another program leaves it that has opened the copy.
  writeFileSync(`${fileOf(bare)}-wal`, '');
  await assertRefused(t, bare);
  const doctor = await runTocsin(bare, ['doctor']);
  assert.match(doctor.output, /lacks its newest data/);
  assert.deepEqual(await groupsOf(await startOn(t, whole)), ['newest']);
});

test('what a copy without its -wal file holds is saved by a backup and a restore', { skip }, async (t) => {
  const app = await startTestApp(t, 'sqlite');
  const token = await app.signIn();
  await addGroup(app, token, 'older');
  await app.stop();
  const again = await startOn(t, app.environment);
  await addGroup(again, await again.signIn(), 'newest');
  const copy = copyOf(t, app.environment, ['']);
  await again.stop();
  const backup = join(copy.TOCSIN_DATA_DIR ?? '', 'a.backup');
  const { err } = await runHere(t, copy, 'backup', backup);
  assert.match(err, /lacks its newest data/);
  await assertRefused(t, copy);
  await runHere(t, copy, 'restore', backup, '--replace');
  assert.deepEqual(await groupsOf(await startOn(t, copy)), ['older']);
});

test('after a clean stop the file alone is complete', { skip }, async (t) => {
  const app = await startTestApp(t, 'sqlite');
  await addGroup(app, await app.signIn(), 'newest');
  await app.stop();
  assert.ok(!existsSync(`${fileOf(app.environment)}-wal`));
  const copy = copyOf(t, app.environment, ['']);
  assert.deepEqual(await groupsOf(await startOn(t, copy)), ['newest']);
});

test('after a crash the folder is served, also when other programs have merged the -wal file', { skip }, async (t) => {
  const first = await startTestApp(t, 'sqlite');
  const { environment } = first;
  const token = await first.signIn();
  await first.stop();
  const crash = async (name: string): Promise<void> => {
    const server = await startServer(environment);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name });
    assert.equal((await fetch(`${server.url}/api/v1/taggroups`, { method: 'POST', headers, body })).status, 200);
    await server.end('SIGKILL');
    assert.ok(existsSync(`${fileOf(environment)}-wal`), 'a crash leaves the -wal file');
  };
  await crash('one');
  const bare = copyOf(t, environment, ['']);
  await assertRefused(t, bare);
  // A start that fails after it has merged the -wal file, on a folder moved together with it.
  const moved = copyOf(t, environment, ['', '-wal']);
  const options = { schemaChange: 'make-or-upgrade' } as const;
  await prepareDatabase(moved.TOCSIN_DATA_DIR ?? '', schema, options);
  assert.deepEqual(await groupsOf(await startOn(t, moved)), ['one']);
  // Our own commands beside no server.
  const backedUp = copyOf(t, environment, ['', '-wal']);
  await runHere(t, backedUp, 'backup', join(backedUp.TOCSIN_DATA_DIR ?? '', 'a.backup'));
  assert.deepEqual(await groupsOf(await startOn(t, backedUp)), ['one']);
  // Another program in the folder of the crash.
  const shell = new DatabaseSync(fileOf(environment));
  shell.exec('SELECT count(*) FROM users');
  shell.close();
  assert.ok(!existsSync(`${fileOf(environment)}-wal`));
  await crash('two');
  // Without the -wal file the ids recorded outside the database show that commits are missing.
  await raiseHighWater(environment.TOCSIN_DATA_DIR ?? '', 'sqlite', { tag_groups: 2 }, {});
  renameSync(`${fileOf(environment)}-wal`, `${fileOf(environment)}.aside`);
  await assertRefused(t, environment);
  renameSync(`${fileOf(environment)}.aside`, `${fileOf(environment)}-wal`);
  const app = await startOn(t, environment);
  assert.deepEqual(await groupsOf(app), ['one', 'two']);
  await app.stop();
});
