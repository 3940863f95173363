// Only a server's start and `tocsin migrate` change the schema of a database, while nothing else serves it and after a copy.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { exitCodes, StartError } from '../../../src/errors.ts';
import { schema } from '../../../src/migrations/schema.ts';
import { advisoryLocks } from '../../../src/store/postgres/schema.ts';
import { newestVersion } from '../../../src/store/schema.ts';
import { prepareDatabase } from '../../../src/store/sqlite/database-file.ts';
import { lockFolder } from '../../../src/store/sqlite/folder-lock.ts';
import { runHere } from '../../harness/server/run-command.ts';
import { freshStore, startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { freshPostgresDatabase, type StoreName, storesUnderTest } from '../../harness/stores/stores.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { readExpected, restoreFixture } from '../../harness/upgrade/upgrade-fixture.ts';

type Environment = Readonly<Record<string, string>>;

const label = '0.1.0-schema-23';
const oldVersion = 23;

async function versionOf(environment: Environment): Promise<number> {
  const tables = await tablesOf(environment);
  try {
    const sql =
      environment.TOCSIN_DATABASE_URL === undefined
        ? 'select user_version as version from pragma_user_version'
        : 'select max(version) as version from schema_version';
    return ((await tables.select(sql)) as readonly { version: number }[])[0]?.version ?? 0;
  } finally {
    await tables.close();
  }
}

async function assertRefused(work: Promise<unknown>, reason: keyof typeof exitCodes, says: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof StartError, String(error));
    assert.match(error.message, says);
    assert.equal(error.exitCode, exitCodes[reason]);
    return true;
  });
}

/** Holds the lock that a server of the version before holds; returns the function that releases it. */
async function serveAs(kind: StoreName, environment: Environment): Promise<() => Promise<void>> {
  if (kind === 'sqlite') {
    const lock = lockFolder(environment.TOCSIN_DATA_DIR ?? '');
    return async () => lock.release();
  }
  const client = new Client({ connectionString: environment.TOCSIN_DATABASE_URL });
  await client.connect();
  await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.serving]);
  return () => client.end();
}

function copiesIn({ TOCSIN_DATA_DIR = '' }: Environment): readonly string[] {
  return fs.readdirSync(TOCSIN_DATA_DIR).filter((name) => name.includes('before-upgrade') && !/-(wal|shm)$/.test(name));
}

testOnStores('a command leaves a database of an older version as it is and names the way', async (t, kind) => {
  const environment = await restoreFixture(t, label, kind);
  for (const words of [
    ['key', 'list'],
    ['key', 'revoke', '1'],
    ['audit', 'verify'],
    ['user', 'password', 'admin'],
  ])
    await assertRefused(runHere(t, environment, ...words), 'needs-migration', /schema 23.*"tocsin migrate"/);
  assert.equal(await versionOf(environment), oldVersion);
  const { out } = await runHere(t, environment, 'backup', join(environment.TOCSIN_DATA_DIR ?? '', 'old.backup'));
  assert.match(out, /Backed up/, 'a backup needs nothing new');
  assert.equal(await versionOf(environment), oldVersion);
});

testOnStores('neither a command nor a start migrates under a running server of an older version', async (t, kind) => {
  const environment = await restoreFixture(t, label, kind);
  const stop = await serveAs(kind, environment);
  await assertRefused(runHere(t, environment, 'migrate'), 'already-running', /Tocsin is running/);
  await assertRefused(startOn(t, environment), 'already-running', /Tocsin is running/);
  assert.equal(await versionOf(environment), oldVersion);
  await stop();
  await runHere(t, environment, 'migrate');
  assert.equal(await versionOf(environment), newestVersion(schema));
});

testOnStores('migrate brings an older database up to date after a copy, and changes nothing again', async (t, kind) => {
  const environment = await restoreFixture(t, label, kind);
  const { out, err } = await runHere(t, environment, 'migrate');
  assert.match(out, new RegExp(`has schema ${newestVersion(schema)}`));
  assert.match(err, new RegExp(`from schema 23 to ${newestVersion(schema)}`));
  const copies = copiesIn(environment);
  assert.equal(copies.length, kind === 'sqlite' ? 1 : 0);
  for (const name of copies) assertIsOldDatabase(join(environment.TOCSIN_DATA_DIR ?? '', name));
  assert.match((await runHere(t, environment, 'key', 'list')).out, /until/);
  assert.equal((await runHere(t, environment, 'migrate')).err, '');
  assert.deepEqual(copiesIn(environment), copies);
  const { clock, settings } = await readExpected(label, kind);
  await startOn(t, { ...environment, ...settings }, fakeClock(clock));
  assert.deepEqual(copiesIn(environment), copies, 'the start had nothing to change');
});

test('sqlite: of the copies that upgrades make the newest three are kept', {
  skip: !storesUnderTest().includes('sqlite'),
}, async (t) => {
  const environment = await restoreFixture(t, label, 'sqlite');
  const nameOf = (version: number) => `tocsin.db.before-upgrade-from-${version}`;
  for (const version of [7, 9, 12, 20]) fs.writeFileSync(join(environment.TOCSIN_DATA_DIR ?? '', nameOf(version)), '');
  await runHere(t, environment, 'migrate');
  assert.deepEqual(copiesIn(environment).toSorted(), [12, 20, oldVersion].map(nameOf));
});

function assertIsOldDatabase(file: string): void {
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  const db = new DatabaseSync(file, { readOnly: true });
  assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, oldVersion);
  assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  assert.ok(Number(db.prepare('SELECT count(*) AS count FROM users').get()?.count) > 0);
  db.close();
}

test('postgres: a command makes no tables in an empty database, and neither does migrate', {
  skip: !storesUnderTest().includes('postgres'),
}, async (t) => {
  const environment = { ...(await freshStore(t, 'sqlite')), TOCSIN_DATABASE_URL: await freshPostgresDatabase(t) };
  for (const words of [['key', 'list'], ['migrate']])
    await assertRefused(runHere(t, environment, ...words), 'bad-usage', /There is nothing in the database yet/);
  const tables = await tablesOf(environment);
  t.after(() => tables.close());
  assert.deepEqual(await tables.select(`select tablename from pg_tables where schemaname = 'public'`), []);
});

test('on Windows, which cannot open a folder, a first start makes its database', async (t) => {
  const { TOCSIN_DATA_DIR = '' } = await freshStore(t, 'sqlite');
  refuseFolders(t);
  const options = { schemaChange: 'make-or-upgrade' } as const;
  assert.ok(fs.existsSync((await prepareDatabase(TOCSIN_DATA_DIR, schema, options)).file));
});

/** Lets this process look like one on Windows, where opening a folder fails. */
function refuseFolders(t: TestContext): void {
  const isFolder = (path: fs.PathLike) => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const refusal = (path: fs.PathLike) => Object.assign(new Error(`EPERM: ${String(path)}`), { code: 'EPERM' });
  const { openSync } = fs;
  const { open } = fs.promises;
  t.mock.method(fs, 'openSync', (path: fs.PathLike, ...rest: [string]) => {
    if (isFolder(path)) throw refusal(path);
    return openSync(path, ...rest);
  });
  t.mock.method(fs.promises, 'open', async (path: fs.PathLike, ...rest: [string]) => {
    if (isFolder(path)) throw refusal(path);
    return open(path, ...rest);
  });
  syncBuiltinESMExports();
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  t.after(() => {
    Object.defineProperty(process, 'platform', { value: platform });
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}
