// Faults at start: a clear message, an exit code, and no file changed or created.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { exitCodes } from '../../../src/errors.ts';
import { runTocsin, startServer } from '../../harness/server/server-process.ts';
import { withoutProgram, withoutRoot } from '../../harness/server/tools.ts';
import { freshStore, migratedStore, startOn } from '../../harness/site/app.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';

const withSqlite = storesUnderTest().includes('sqlite') ? false : 'needs SQLite';
const withPostgres = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';
const nobody = 65_534;

type Environment = Record<string, string>;

/** A data folder with a used database and a stopped server. */
async function usedFolder(t: TestContext): Promise<{ environment: Environment; folder: string; file: string }> {
  const environment = await migratedStore(t, 'sqlite');
  const app = await startOn(t, environment);
  const token = await app.signIn();
  for (let n = 0; n < 200; n++) await app.request('POST', '/api/v1/taggroups', { token, body: { name: `group ${n}` } });
  await app.stop();
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  return { environment, folder, file: join(folder, 'tocsin.db') };
}

function fingerprint(file: string): string {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'absent';
}

/** Asserts that the start fails with this exit code and message, without a stack trace. */
async function assertRefused(environment: Environment, code: number, ...words: RegExp[]): Promise<void> {
  const ended = await runTocsin(environment, ['serve']);
  assert.equal(ended.code, code, ended.output);
  for (const word of words) assert.match(ended.output, word);
  assert.doesNotMatch(ended.output, /^\s+at /m, 'no stack');
  assert.doesNotMatch(ended.output, /is ready/);
}

type Damage = { readonly name: string; readonly says: RegExp; readonly to: (file: string) => void };

const damages: readonly Damage[] = [
  {
    name: 'a page overwritten with noise',
    says: /damaged/,
    to: (file) => {
      const bytes = readFileSync(file);
      for (let at = 4096; at < bytes.length; at += 7) bytes[at] = (at * 31) & 255;
      writeFileSync(file, bytes);
    },
  },
  {
    name: 'a file cut in the middle',
    says: /damaged/,
    to: (file) => writeFileSync(file, readFileSync(file).subarray(0, 20_000)),
  },
  { name: 'an empty file', says: /empty or not SQLite/, to: (file) => writeFileSync(file, '') },
  {
    name: 'a file of text',
    says: /empty or not SQLite/,
    to: (file) => writeFileSync(file, 'Dear diary,\n'.repeat(1_000)),
  },
  {
    name: "another program's database",
    says: /another program/,
    to: (file) => {
      rmSync(file);
      const db = new DatabaseSync(file);
      db.exec('CREATE TABLE cats (name TEXT)');
      db.close();
    },
  },
  {
    name: 'a newer schema',
    says: /newer Tocsin/,
    to: (file) => {
      const db = new DatabaseSync(file);
      db.exec('PRAGMA user_version = 999');
      db.close();
    },
  },
];

for (const { name, says, to } of damages) {
  test(`${name} is refused and left unchanged`, { skip: withSqlite }, async (t) => {
    const { environment, file } = await usedFolder(t);
    to(file);
    const before = fingerprint(file);
    await assertRefused(environment, exitCodes['data-unusable'], says, /restore/);
    assert.equal(fingerprint(file), before);
  });
}

test('a folder that cannot be written is refused', { skip: withSqlite || withoutRoot() }, async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  chmodSync(folder, 0o755);
  const ended = await runTocsin({ ...environment, TOCSIN_DATA_DIR: join(folder, 'data') }, ['serve'], { uid: nobody });
  assert.equal(ended.code, exitCodes['cannot-write'], ended.output);
  assert.match(ended.output, /cannot be written.*TOCSIN_DATA_DIR/s);
  assert.ok(!existsSync(join(folder, 'data')));
});

test('a second server on the same folder is refused, and the first continues', { skip: withSqlite }, async (t) => {
  const environment = await migratedStore(t, 'sqlite');
  const app = await startOn(t, environment);
  await assertRefused(environment, exitCodes['already-running'], /Another Tocsin is running/);
  assert.equal((await app.request('GET', '/health/ready')).status, 200);
});

test('a second PostgreSQL node on the same folder serves, and warns that it writes no high-water mark', {
  skip: withPostgres,
}, async (t) => {
  const environment = await migratedStore(t, 'postgres');
  await startOn(t, environment);
  const second = await startOn(t, environment);
  assert.equal((await second.request('GET', '/health/ready')).status, 200);
  const warnings = second.logLines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  assert.match(String(warnings), /^Another Tocsin runs on the data folder .* this one keeps none/);
});

test('a PostgreSQL node serves even if its folder cannot be written', {
  skip: withPostgres || withoutRoot(),
}, async (t) => {
  const environment = await migratedStore(t, 'postgres');
  chmodSync(environment.TOCSIN_DATA_DIR ?? '', 0o555);
  const server = await startServer(environment, { uid: nobody });
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200);
  assert.equal((await server.end('SIGTERM')).code, 0);
});

test('a full disk at the start is refused', { skip: withSqlite || withoutRoot() }, async (t) => {
  const { folder, fill } = smallDisk(t);
  fill();
  await assertRefused({ TOCSIN_DATA_DIR: folder, TOCSIN_PORT: '0' }, exitCodes['cannot-write'], /disk.*full/);
});

test('a disk that fills up refuses writes with 503, loses nothing, and accepts writes again when there is room', {
  skip: withSqlite || withoutRoot(),
}, async (t) => {
  const base = await freshStore(t, 'sqlite');
  const { folder, fill, free } = smallDisk(t);
  const app = await startOn(t, { ...base, TOCSIN_DATA_DIR: folder });
  const token = await app.signIn();
  const stored: string[] = [];
  const post = async (name: string) => {
    const answer = await app.request('POST', '/api/v1/taggroups', { token, body: { name } });
    if (answer.status === 200) stored.push(name);
    return answer;
  };
  await post('before');
  fill();
  let refused = await post('0');
  for (let n = 1; refused.status === 200 && n < 20_000; n++) refused = await post(`${n} ${'x'.repeat(200)}`);
  assert.equal(refused.status, 503, refused.text);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  assert.match(refused.text, /disk is full/);
  const unready = await app.request('GET', '/health/ready');
  assert.equal(unready.status, 503);
  assert.match(unready.text, /disk is full/);
  assert.equal((await app.request('GET', '/health/live')).status, 200);
  assert.equal((await app.request('GET', '/api/v1/taggroups?limit=1', { token })).status, 200, 'reading goes on');
  free();
  assert.equal((await app.request('GET', '/health/ready')).status, 200);
  assert.equal((await post('after')).status, 200);
  const list = await app.request('GET', '/api/v1/taggroups?limit=0', { token });
  assert.equal((list.body as { paging: { total: number } }).paging.total, stored.length);
});

test('a failing disk ends the process, and no acknowledged write is lost', {
  skip: withSqlite || withoutProgram('strace'),
}, async (t) => {
  const environment = await migratedStore(t, 'sqlite');
  const first = await startOn(t, environment);
  const token = await first.signIn();
  await first.stop();
  const inject = [
    'strace',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    'trace=fsync,fdatasync',
    '-e',
    'inject=fsync,fdatasync:error=EIO:when=30+',
  ];
  const server = await startServer({ ...environment, TOCSIN_LOG_LEVEL: 'fatal' }, { under: inject });
  const stored: string[] = [];
  for (let n = 0; n < 500; n++) {
    const answer = await fetch(`${server.url}/api/v1/taggroups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `g${n}` }),
    }).catch(() => undefined);
    if (answer?.status !== 200) break;
    stored.push(`g${n}`);
  }
  const ended = await server.end('SIGCONT');
  assert.equal(ended.code, exitCodes['storage-failed'], ended.output);
  assert.ok(stored.length > 0 && stored.length < 500, `${stored.length} writes before the disk failed`);
  const second = await startOn(t, environment);
  const list = (await second.request('GET', '/api/v1/taggroups', { token })).body as { items: { name: string }[] };
  const names = new Set(list.items.map(({ name }) => name));
  for (const name of stored) assert.ok(names.has(name), `${name} was answered and is lost`);
});

test('an unreachable database is reported without its password', { skip: withPostgres }, async (t) => {
  const environment = {
    ...(await migratedStore(t, 'sqlite')),
    TOCSIN_DATABASE_URL: 'postgres://tocsin:secret-word@127.0.0.1:1/tocsin',
  };
  const ended = await runTocsin(environment, ['serve']);
  assert.equal(ended.code, exitCodes['database-unreachable'], ended.output);
  assert.match(ended.output, /TOCSIN_DATABASE_URL/);
  assert.doesNotMatch(ended.output, /secret-word/);
});

test('a PostgreSQL with synchronous_commit off is refused', { skip: withPostgres }, async (t) => {
  const environment = await freshStore(t, 'postgres');
  const client = new Client({ connectionString: environment.TOCSIN_DATABASE_URL });
  await client.connect();
  await client.query(
    `alter database ${new URL(environment.TOCSIN_DATABASE_URL ?? '').pathname.slice(1)} set synchronous_commit = off`,
  );
  await client.end();
  await assertRefused(environment, exitCodes['data-unusable'], /synchronous_commit = off/);
});

test('a port that is in use is reported', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const environment = { ...(await migratedStore(t, 'sqlite')), TOCSIN_PORT: String(port) };
  await assertRefused(environment, exitCodes['bad-settings'], new RegExp(`Port ${port}`), /TOCSIN_PORT/);
  const metrics = { ...environment, TOCSIN_PORT: '0', TOCSIN_METRICS_PORT: String(port) };
  await assertRefused(metrics, exitCodes['bad-settings'], new RegExp(`Port ${port}`), /TOCSIN_METRICS_PORT/);
});

test('all wrong settings are reported at once', async () => {
  const environment = { TOCSIN_PORT: '99999', TOCSIN_TIME_ZONE: 'Mars', TOCSIN_PROT: '1', TOCSIN_HOST: '0.0.0.0' };
  await assertRefused(
    environment,
    exitCodes['bad-settings'],
    /TOCSIN_PORT/,
    /TOCSIN_TIME_ZONE/,
    /TOCSIN_PROT.*did you mean TOCSIN_PORT/,
    /TOCSIN_INSECURE/,
  );
});

/** A tmpfs of two megabytes that can be filled and freed. */
function smallDisk(t: TestContext): { folder: string; fill(): void; free(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  assert.equal(mounted.status, 0, String(mounted.stderr));
  // Registered from within a hook, so that it runs after the hooks that stop servers using the disk.
  t.after(() =>
    t.after(() => {
      spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    }),
  );
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096']),
    free: () => rmSync(ballast),
  };
}
