// The files of the data folder are readable by their owner alone, whatever the umask and the folder allow.

import assert from 'node:assert/strict';
import { chmodSync, chownSync, lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../harness/server/run-command.ts';
import { startServer } from '../../harness/server/server-process.ts';
import { withoutRoot } from '../../harness/server/tools.ts';
import { freshStore, migratedStore, startOn } from '../../harness/site/app.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

const nobody = 65_534;

/** The mode of each file in the folder. */
function modesIn(folder: string): Record<string, string> {
  const modeOf = (name: string) => (lstatSync(join(folder, name)).mode & 0o777).toString(8);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(name)]));
}

function assertPrivate(folder: string, ...expected: readonly string[]): void {
  const modes = modesIn(folder);
  for (const name of expected) assert.ok(name in modes, `${name} is not among ${Object.keys(modes)}`);
  assert.deepEqual(
    Object.entries(modes).filter(([, mode]) => mode !== '600'),
    [],
  );
}

testOnStores('with umask 0 in a folder open to all, every file is private', async (t, kind) => {
  const environment = await freshStore(t, kind);
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  chmodSync(folder, 0o777);
  const backup = join(folder, 'a.backup');
  const own = kind === 'sqlite' ? ['tocsin.db', 'tocsin.db-wal', 'tocsin.db-shm', 'server.lock'] : ['server.lock'];
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const app = await startOn(t, environment);
  const token = await app.signIn();
  const body = { name: 'PLC', scopes: ['alarms:read'], expiryTime: '2100-01-01T00:00:00Z' };
  await app.request('POST', '/api/v1/auth/keys', { token, body });
  assert.equal((await app.request('DELETE', '/api/v1/auth/keys/1', { token })).status, 200);
  await runHere(t, environment, 'backup', backup);
  assertPrivate(folder, ...own, 'a.backup');
  await app.stop();
  await runHere(t, environment, 'restore', backup, '--replace');
  assertPrivate(folder, 'high-water.json', 'revoked-keys.jsonl');
  const made = { ...environment, TOCSIN_DATA_DIR: join(folder, 'made') };
  await (await startOn(t, made)).stop();
  assert.equal(statSync(made.TOCSIN_DATA_DIR).mode & 0o777, 0o700);
});

testOnStores('files that others may read are made private at the start, with a notice', async (t, kind) => {
  const environment = await migratedStore(t, kind);
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  await (await startOn(t, environment)).stop();
  const wide = readdirSync(folder);
  for (const name of wide) chmodSync(join(folder, name), 0o644);
  // Neither file is Tocsin's.
  writeFileSync(join(folder, 'notes.txt'), '', { mode: 0o644 });
  symlinkSync(join(folder, 'notes.txt'), join(folder, 'tocsin.db.link'));
  const app = await startOn(t, environment);
  const warnings = app.logLines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  assert.equal(warnings.length, 1, warnings.join('\n'));
  for (const name of wide) assert.match(warnings[0] ?? '', new RegExp(`could read .*${name}.* only the owner can now`));
  const modes = modesIn(folder);
  for (const name of wide) assert.equal(modes[name], '600', name);
  assert.equal(modes['notes.txt'], '644');
  await app.stop();
  const again = await startOn(t, environment);
  assert.deepEqual(
    again.logLines.filter(({ level }) => level >= 40),
    [],
  );
});

test('files that a command run by root creates belong to the owner of the folder', {
  skip: storesUnderTest().includes('sqlite') ? withoutRoot() : 'needs SQLite',
}, async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const source = await freshStore(t, 'sqlite');
  await (await startOn(t, source)).stop();
  const backup = join(source.TOCSIN_DATA_DIR ?? '', 'a.backup');
  await runHere(t, source, 'backup', backup);
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  chownSync(folder, nobody, nobody);
  await runHere(t, environment, 'restore', backup);
  for (const name of readdirSync(folder)) assert.equal(lstatSync(join(folder, name)).uid, nobody, name);
  const server = await startServer(environment, { uid: nobody });
  assert.equal((await server.end('SIGTERM')).code, 0);
});
