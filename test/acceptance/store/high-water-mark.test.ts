// The high-water mark is above every assigned id at any moment; how a start uses it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { terminalCaller } from '../../../src/domain/access/access.ts';
import { AppError, exitCodes, StartError } from '../../../src/errors.ts';
import { createPlantEntry } from '../../../src/operations/plant/change-resource.ts';
import { boundsOf, highWaterFile, readHighWater } from '../../../src/store/backup/high-water.ts';
import { openReadOnly, refuseOldSqlite } from '../../../src/store/sqlite/database-file.ts';
import { HighWaterWriter } from '../../../src/store/sqlite/high-water-writer.ts';
import { readIds } from '../../../src/store/sqlite/issued-ids.ts';
import type { Store } from '../../../src/store/store.ts';
import { migratedStore, startOn, startTestApp } from '../../harness/site/app.ts';
import { freshPostgresDatabase, storesUnderTest } from '../../harness/stores/stores.ts';
import { until } from '../../harness/until.ts';

const withSqlite = storesUnderTest().includes('sqlite') ? false : 'needs SQLite';
const withPostgres = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';
const writer = fileURLToPath(new URL('../../harness/stores/id-writer.ts', import.meta.url));

async function usedFolder(t: TestContext) {
  const environment = await migratedStore(t, 'sqlite');
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  const app = await startOn(t, environment);
  await addGroup(app.store, 'first');
  await app.stop();
  return { environment, folder, file: join(folder, 'tocsin.db') };
}

function addGroup(store: Store, name: string): Promise<number> {
  return store.write(createPlantEntry, { kind: 'tagGroup', caller: terminalCaller, name, stationId: 1 });
}

function issuedIn(file: string): Readonly<Record<string, number>> {
  const db = openReadOnly(file);
  try {
    return readIds(db);
  } finally {
    db.close();
  }
}

function boundOf(folder: string, table: string): number {
  return boundsOf(readHighWater(folder))[table] ?? 0;
}

test('after SIGKILL the mark is above every assigned id, and the next start neither skips ids nor warns', {
  skip: withSqlite,
}, async (t) => {
  const { environment, folder, file } = await usedFolder(t);
  const moments = [
    () =>
      until(
        async () => boundOf(folder, 'events'),
        (bound) => bound > 11_000,
      ),
    (mark: number) =>
      until(
        async () => issuedIn(file).events ?? 0,
        (id) => id > mark,
      ),
  ];
  for (const moment of moments) {
    const child = spawn(process.execPath, [writer, folder], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    await moment(boundOf(folder, 'events'));
    child.kill('SIGKILL');
    await ended;
    const issued = issuedIn(file);
    for (const [table, id] of Object.entries(issued)) {
      assert.ok(boundOf(folder, table) >= id, `${table}: ${id} was given out, the mark is ${boundOf(folder, table)}`);
    }
  }
  const last = issuedIn(file).tag_groups ?? 0;
  const app = await startOn(t, environment);
  assert.equal(await addGroup(app.store, 'next'), last + 1);
  assert.deepEqual(
    app.logLines.filter(({ level }) => level >= 40),
    [],
  );
});

test('a transaction with more rows than the margin raises the mark before it commits', {
  skip: withSqlite,
}, async (t) => {
  const { folder, file } = await usedFolder(t);
  const db = new DatabaseSync(file);
  t.after(() => db.close());
  const keeper = new HighWaterWriter(db, file);
  db.exec(`BEGIN IMMEDIATE; WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 30000)
    INSERT INTO events (kind, at, actor, data) SELECT 'test', 0, 'test', '{}' FROM n`);
  await keeper.commit();
  assert.ok((issuedIn(file).events ?? 0) > 30_000);
  assert.ok(boundOf(folder, 'events') >= (issuedIn(file).events ?? 0));
});

test('a commit beyond a mark that cannot be raised is refused, and nothing is stored', {
  skip: withSqlite,
}, async (t) => {
  const { environment, folder, file } = await usedFolder(t);
  const app = await startOn(t, environment, undefined, true);
  const other = new DatabaseSync(file);
  other.exec(`UPDATE sqlite_sequence SET seq = ${boundOf(folder, 'tag_groups')} WHERE name = 'tag_groups'`);
  other.close();
  mkdirSync(`${highWaterFile(folder)}.new`);
  await assert.rejects(
    addGroup(app.store, 'refused'),
    (error) => error instanceof AppError && error.code === 'unavailable',
  );
  assert.equal(issuedIn(file).tag_groups, boundOf(folder, 'tag_groups'));
});

test('a missing database is refused and not replaced by an empty one', { skip: withSqlite }, async (t) => {
  const { environment, folder, file } = await usedFolder(t);
  rmSync(file);
  await assert.rejects(startOn(t, environment), (error) => {
    assert.ok(error instanceof StartError, String(error));
    assert.equal(error.exitCode, exitCodes['data-unusable']);
    assert.match(error.message, /lost.*not mounted.*tocsin restore FILE.*high-water\.json/s);
    return true;
  });
  assert.ok(!readdirSync(folder).includes('tocsin.db'));
  rmSync(highWaterFile(folder));
  await startOn(t, environment);
});

test('an older database copied back continues above the mark, with a warning', { skip: withSqlite }, async (t) => {
  const { environment, folder, file } = await usedFolder(t);
  copyFileSync(file, join(folder, 'copy'));
  const later = await startOn(t, environment);
  const issued = [];
  for (let n = 0; n < 5; n++) issued.push(await addGroup(later.store, `later ${n}`));
  await later.stop();
  copyFileSync(join(folder, 'copy'), file);
  const mark = boundOf(folder, 'tag_groups');
  assert.ok(mark >= Math.max(...issued));
  const app = await startOn(t, environment);
  assert.equal(await addGroup(app.store, 'new'), mark + 1);
  assert.ok(app.logLines.some(({ level, msg }) => level === 40 && /older than the ids.*tag_groups/.test(msg)));
});

test('postgres: each node writes a mark, and a database that was reset continues above it', {
  skip: withPostgres,
}, async (t) => {
  const environment = await migratedStore(t, 'postgres');
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  const first = await startOn(t, environment);
  const issued = await addGroup(first.store, 'first');
  await first.stop();
  const mark = boundOf(folder, 'tag_groups');
  assert.ok(mark > issued);
  const client = new Client({ connectionString: environment.TOCSIN_DATABASE_URL });
  await client.connect();
  await client.query(`delete from tag_groups; alter table tag_groups alter column id restart`);
  await client.end();
  const second = await startOn(t, environment);
  assert.equal(await addGroup(second.store, 'second'), mark + 1);
  assert.ok(second.logLines.some(({ level, msg }) => level === 40 && /older than the ids/.test(msg)));
});

test('postgres: an empty database begins at 1, and the old mark is moved aside', {
  skip: withPostgres,
}, async (t) => {
  const before = await startTestApp(t, 'postgres');
  await before.stop();
  const folder = before.environment.TOCSIN_DATA_DIR ?? '';
  const old = readFileSync(highWaterFile(folder), 'utf8');
  const app = await startOn(t, { ...before.environment, TOCSIN_DATABASE_URL: await freshPostgresDatabase(t) });
  assert.equal(await addGroup(app.store, 'first'), 1);
  assert.ok(app.logLines.some(({ level, msg }) => level === 40 && /empty although/.test(msg)));
  const aside = readdirSync(folder).find((name) => name.startsWith('high-water.json.before-'));
  assert.equal(readFileSync(join(folder, aside ?? ''), 'utf8'), old);
});

test('a SQLite version that can corrupt a database is refused', () => {
  for (const version of ['3.50.9', '3.51.2', '2.99.99', 'unknown'])
    assert.throws(() => refuseOldSqlite(version), StartError);
  for (const version of ['3.51.3', '3.51.10', '3.53.0', '4.0.0']) refuseOldSqlite(version);
});
