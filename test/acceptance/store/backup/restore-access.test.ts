// Access after a restore: no session of the backup is valid, and keys revoked since stay revoked or are listed.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readRevokedKeys, revokedKeysFile } from '../../../../src/access/revoked-keys-file.ts';
import { runHere } from '../../../harness/server/run-command.ts';
import { runTocsin } from '../../../harness/server/server-process.ts';
import { startBeside, startOn, startTestApp, type TestApp } from '../../../harness/site/app.ts';
import { freshPostgresDatabase, type StoreName, storesUnderTest } from '../../../harness/stores/stores.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

type Environment = Readonly<Record<string, string>>;
type Key = { readonly id: number; readonly token: string };

function folderOf({ TOCSIN_DATA_DIR = '' }: Environment): string {
  return TOCSIN_DATA_DIR;
}

async function makeKey(app: TestApp, token: string, name: string): Promise<Key> {
  const body = { name, scopes: ['directory:read'], stationIds: [1], expiryTime: '2100-01-01T00:00:00Z' };
  const answer = await app.request('POST', '/api/v1/auth/keys', { token, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Key;
}

async function revoke(app: TestApp, token: string, { id }: Key): Promise<void> {
  assert.equal((await app.request('DELETE', `/api/v1/auth/keys/${id}`, { token })).status, 200);
}

async function statusOf(app: TestApp, token: string): Promise<number> {
  return (await app.request('GET', '/api/v1/stations', { token })).status;
}

type Site = { readonly app: TestApp; readonly session: string; readonly backup: string; readonly keys: readonly Key[] };

/** A running server with a backup that holds a session and two keys, "kept" and "lost". */
async function siteWithBackup(t: TestContext, kind: StoreName): Promise<Site> {
  const app = await startTestApp(t, kind);
  const session = await app.signIn();
  const keys = [await makeKey(app, session, 'kept'), await makeKey(app, session, 'lost')];
  const backup = join(folderOf(app.environment), 'a.backup');
  await runHere(t, app.environment, 'backup', backup);
  return { app, session, backup, keys };
}

/** Loses the database and returns the settings of its successor in the same folder. */
async function loseDatabase(t: TestContext, kind: StoreName, environment: Environment): Promise<Environment> {
  if (kind === 'postgres') return { ...environment, TOCSIN_DATABASE_URL: await freshPostgresDatabase(t) };
  for (const ending of ['', '-wal', '-shm']) rmSync(join(folderOf(environment), `tocsin.db${ending}`), { force: true });
  return environment;
}

testOnStores(
  'a restore ends all sessions, and keys that the replaced database revoked stay revoked',
  async (t, kind) => {
    const { app, session, backup, keys } = await siteWithBackup(t, kind);
    const [kept, lost] = keys as [Key, Key];
    const { environment } = app;
    await revoke(app, session, lost);
    const later = await makeKey(app, session, 'later');
    await app.stop();
    // Without the file, the replaced database still knows; the second round shows that the restored one does, too.
    for (const round of ['first', 'second']) {
      rmSync(revokedKeysFile(folderOf(environment)), { force: true });
      const { out } = await runHere(t, environment, 'restore', backup, '--replace');
      assert.match(out, /^All sessions have ended/m, round);
      assert.match(out, new RegExp(`stay revoked: ${lost.id} "lost"\\.$`, 'm'), round);
      assert.doesNotMatch(out, /valid again/, 'the other key was valid all the time');
      const restored = await startOn(t, environment);
      assert.equal(await statusOf(restored, session), 401, 'a session of the backup');
      assert.equal(await statusOf(restored, lost.token), 401, 'a revoked key');
      assert.equal(await statusOf(restored, kept.token), 200);
      const next = await makeKey(restored, await restored.signIn(), `new ${round}`);
      assert.ok(next.id > later.id, 'no id of a key is assigned twice');
      assert.equal(await statusOf(restored, next.token), 200);
      await restored.stop();
    }
  },
);

testOnStores(
  'after the loss of the database the file keeps keys revoked, and the others are listed',
  async (t, kind) => {
    const { app, session, backup, keys } = await siteWithBackup(t, kind);
    const [kept, lost] = keys as [Key, Key];
    await revoke(app, session, lost);
    await app.stop();
    assert.deepEqual(
      readRevokedKeys(folderOf(app.environment)).map(({ id, name }) => [id, name]),
      [[lost.id, 'lost']],
    );
    const environment = await loseDatabase(t, kind, app.environment);
    const { out } = await runHere(t, environment, 'restore', backup);
    assert.match(out, new RegExp(`stay revoked: ${lost.id} "lost"\\.$`, 'm'));
    assert.match(out, new RegExp(`valid again.*:\n {2}${kept.id} "kept": tocsin key revoke ${kept.id}\n$`));
    const restored = await startOn(t, environment);
    assert.equal(await statusOf(restored, lost.token), 401);
    assert.equal(await statusOf(restored, kept.token), 200);
  },
);

testOnStores(
  'a revocation that cannot be copied to the file is carried out, and a restore lists the key',
  async (t, kind) => {
    const { app, session, backup, keys } = await siteWithBackup(t, kind);
    const [, lost] = keys as [Key, Key];
    mkdirSync(revokedKeysFile(folderOf(app.environment)));
    await revoke(app, session, lost);
    assert.equal(await statusOf(app, lost.token), 401);
    await app.stop();
    assert.ok(app.logLines.some(({ level, msg }) => level === 40 && /revoked keys could not be copied/.test(msg)));
    const environment = await loseDatabase(t, kind, app.environment);
    const { out } = await runHere(t, environment, 'restore', backup);
    assert.match(out, new RegExp(`^ {2}${lost.id} "lost": tocsin key revoke ${lost.id}$`, 'm'));
    const restored = await startOn(t, environment);
    assert.equal(await statusOf(restored, lost.token), 200, 'as listed');
    const { err } = await runHere(t, environment, 'key', 'revoke', String(lost.id));
    assert.match(err, /could not be noted in the data folder/);
    await until(
      () => statusOf(restored, lost.token),
      (status) => status === 401,
    );
  },
);

testOnStores(
  'a command without a server copies the revoked key to the file, a later start what is missing',
  async (t, kind) => {
    const { app, backup, keys } = await siteWithBackup(t, kind);
    const [kept, lost] = keys as [Key, Key];
    const folder = folderOf(app.environment);
    await app.stop();
    assert.equal((await runTocsin(app.environment, ['key', 'revoke', String(kept.id)])).code, 0);
    assert.deepEqual(
      readRevokedKeys(folder).map(({ id }) => id),
      [kept.id],
    );
    assert.equal((await runTocsin(app.environment, ['key', 'revoke', String(lost.id)])).code, 0);
    rmSync(revokedKeysFile(folder));
    const again = await startOn(t, app.environment);
    await again.stop();
    assert.deepEqual(
      readRevokedKeys(folder)
        .map(({ id }) => id)
        .toSorted(),
      [kept.id, lost.id],
    );
    const environment = await loseDatabase(t, kind, app.environment);
    assert.doesNotMatch((await runHere(t, environment, 'restore', backup)).out, /valid again/);
  },
);

test('postgres: every node copies a key that another node revoked', {
  skip: storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL',
}, async (t) => {
  const { app, session, keys } = await siteWithBackup(t, 'postgres');
  const [, lost] = keys as [Key, Key];
  const second = await startBeside(t, app);
  await revoke(app, session, lost);
  const file = revokedKeysFile(folderOf(second.environment));
  await until(
    async () => existsSync(file) && readRevokedKeys(folderOf(second.environment)).map(({ id }) => id),
    (ids) => Array.isArray(ids) && ids.includes(lost.id),
  );
});
