// CLI commands beside a running server create and end users and API keys.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands, runCommand } from '../../../src/cli/commands.ts';
import { mainFile } from '../../harness/server/built-server.ts';
import { runTocsin } from '../../harness/server/server-process.ts';
import { withoutProgram } from '../../harness/server/tools.ts';
import { freshStore, startTestApp, type TestApp } from '../../harness/site/app.ts';
import { newest } from '../../harness/site/journal.ts';
import { Caller } from '../../harness/site/site-caller.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
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
  const nobody = await runTocsin(app.environment, ['user', 'password', 'nobody', '--generate']);
  assert.deepEqual([nobody.code, /no user/.test(nobody.output)], [1, true]);
  for (const { output } of [again, nobody]) assert.doesNotMatch(output, /Password:/, 'no password that was not set');
  const set = await runTocsin(app.environment, ['user', 'password', 'ana', '--generate']);
  assert.equal(set.code, 0, set.output);
  await until(
    async () => (await app.request('GET', '/api/v1/stations', { token })).status,
    (status) => status === 401,
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

test('every command explains itself with --help, whatever the settings are', async (t) => {
  const printed: string[] = [];
  t.mock.method(console, 'log', (text: string) => void printed.push(text));
  const helpOf = async (...words: string[]): Promise<string> => {
    await runCommand(words, { TOCSIN_PORT: 'none' });
    return printed.splice(0).join('\n');
  };
  for (const [name, { usage, meaning }] of Object.entries(commands))
    for (const words of [
      [...name.split(' '), '--help'],
      [...name.split(' '), 'x', '-h'],
      ['help', ...name.split(' ')],
    ]) {
      const text = await helpOf(...words);
      assert.ok(text.startsWith(`tocsin ${usage}\n`) && text.includes(meaning), `${words.join(' ')}: ${text}`);
    }
  for (const words of [['--help'], ['-h'], ['help'], []])
    assert.match(await helpOf(...words), /^Tocsin .*tocsin serve/s);
  for (const words of [
    ['user', '--help'],
    ['help', 'user'],
  ])
    assert.match(await helpOf(...words), /^tocsin user add .*\ntocsin user password [^\n]*$/);
});

test('--help exits with 0, and a word after -- is a name', async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const asked = await runTocsin(environment, ['key', 'add', '--help']);
  assert.deepEqual([asked.code, /^tocsin key add NAME/.test(asked.output)], [0, true]);
  const named = await runTocsin(environment, ['user', 'add', '--generate', '--', '--help']);
  assert.match(named.output, /start Tocsin once/);
});

const prompts: readonly [keys: string, code: number, says: RegExp][] = [
  ['\x03', 130, /^New password:$/],
  ['a long password\r\x03', 130, /^New password: \s+Again:$/],
  ['\x04', 64, /^New password: \s+No password was given; nothing was changed\.$/],
  ['a long password\ra long password\r', 0, /The password of "admin" is set/],
];

test('Ctrl-C at the password prompt ends quietly with 130', { skip: withoutProgram('script') }, async (t) => {
  const app = await startTestApp(t, 'sqlite');
  for (const [keys, code, says] of prompts) {
    const ended = await typeInto(app.environment, ['user', 'password', 'admin'], keys);
    assert.deepEqual([ended.code, says.test(ended.output.trim())], [code, true], JSON.stringify(ended));
  }
});

/** Runs a command at a terminal of its own; each line of keys is typed when the next prompt appears. */
function typeInto(environment: Readonly<Record<string, string>>, words: readonly string[], keys: string) {
  const command = [process.execPath, mainFile, ...words].map((word) => `'${word}'`).join(' ');
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const parts = keys.match(/[^\r]*\r|[^\r]+/g) ?? [];
  let output = '';
  let prompted = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    for (const count = output.match(/: /g)?.length ?? 0; prompted < count; prompted++)
      child.stdin.write(parts[prompted] ?? '');
  });
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  );
}

test('a command makes no database in a folder without one, and names the folder', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-empty-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await assert.rejects(
    () => runCommand(['call', '--to', '+33100000001', '--say', 'x'], { TOCSIN_DATA_DIR: folder }),
    ({ message }: Error) => message.includes(`There is nothing in the folder ${folder} (TOCSIN_DATA_DIR)`),
  );
  assert.deepEqual(readdirSync(folder), []);
});
