// CLI commands beside a running server create and end users and API keys.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { freshStore, startTestApp, type TestApp } from '../../harness/app.ts';
import { mainFile } from '../../harness/built-server.ts';
import { newest } from '../../harness/journal.ts';
import { runTocsin } from '../../harness/server-process.ts';
import { Caller } from '../../harness/site-caller.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';
import { until } from '../../harness/until.ts';

/** Asserts that the audit trail names the terminal as the origin of these kinds. */
async function assertRecorded(app: TestApp, ...kinds: readonly string[]): Promise<void> {
  const caller = new Caller({ app }, await app.signIn());
  for (const kind of kinds) assert.equal((await newest(caller, kind)).actor, 'cli', kind);
}

testOnStores('an added user can sign in, and a new password ends the session', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const added = await runTocsin(app.environment, ['user', 'add', 'ana', '--role', 'observer', '--generate']);
  assert.equal(added.code, 0, added.output);
  const password = /Password: (\S+)/.exec(added.output)?.[1] ?? '';
  const token = await app.signIn('ana', password);
  assert.equal((await app.request('GET', '/api/v1/stations', { token })).status, 200);
  assert.equal((await app.request('POST', '/api/v1/stations', { token, body: { name: 'x' } })).status, 403);
  const again = await runTocsin(app.environment, ['user', 'add', 'ANA', '--generate']);
  assert.deepEqual([again.code, /already/.test(again.output)], [1, true], 'names differ by more than case');
  const set = await runTocsin(app.environment, ['user', 'password', 'ana', '--generate']);
  assert.equal(set.code, 0, set.output);
  await until(
    async () => (await app.request('GET', '/api/v1/stations', { token })).status,
    (status) => status === 401,
    5_000,
  );
  await assertRecorded(app, 'user.created', 'user.password-set');
});

testOnStores('an API key is created, listed and revoked', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const made = await runTocsin(app.environment, ['key', 'add', 'PLC', '--scope', 'directory:read', '--station', '1']);
  const token = /tock_\S+/.exec(made.output)?.[0] ?? '';
  assert.equal((await app.request('GET', '/api/v1/stations', { token })).status, 200);
  const list = await runTocsin(app.environment, ['key', 'list']);
  assert.match(list.output, /1 {2}PLC {2}directory:read {2}stations 1/);
  assert.doesNotMatch(list.output, /tock_/);
  assert.equal((await runTocsin(app.environment, ['key', 'revoke', '1'])).code, 0);
  await until(
    async () => (await app.request('GET', '/api/v1/stations', { token })).status,
    (status) => status === 401,
    5_000,
  );
  assert.equal((await runTocsin(app.environment, ['key', 'revoke', '1'])).code, 1);
  await assertRecorded(app, 'key.created', 'key.revoked');
});

test('a password is read from a pipe, and a weak one is refused', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  const pipe = (password: string) =>
    new Promise<number | null>((resolve) => {
      const child = spawn(process.execPath, [mainFile, 'user', 'password', 'admin'], {
        env: { ...app.environment },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.on('close', resolve);
      child.stdin.end(`${password}\n`);
    });
  assert.equal(await pipe('12345678'), 1);
  assert.equal(await pipe('a new long password'), 0);
  await app.signIn('admin', 'a new long password');
});

const mistakes: readonly [words: string[], code: number, says: RegExp][] = [
  [['dance'], 64, /no command "dance".*tocsin serve/s],
  [['user', 'add'], 64, /Usage: tocsin user add/],
  [['user', 'add', 'x', '--role', 'king'], 64, /no role "king"/],
  [['key', 'add', 'x', '--scope', 'everything'], 64, /SCOPE must be one of alarms:read/],
  [['key', 'revoke', 'x'], 64, /whole number/],
  [['user', 'add', 'x', '--generate'], 64, /start Tocsin once/],
  [['help'], 0, /tocsin user add/],
];

test('a wrong command line prints the usage and exits with an error code', async (t) => {
  const environment = await freshStore(t, 'sqlite');
  for (const [words, code, says] of mistakes) {
    const ended = await runTocsin(environment, words);
    assert.equal(ended.code, code, `${words.join(' ')}: ${ended.output}`);
    assert.match(ended.output, says);
  }
});
