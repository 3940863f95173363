// `tocsin doctor` reports problems with advice, prints no secret, changes nothing, and exits with 1 if there is a
// problem.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { runCommand } from '../../../src/cli/commands.ts';
import { terminalCaller } from '../../../src/domain/access/access.ts';
import { createApiKey } from '../../../src/operations/access/api-keys.ts';
import { setAsideRow } from '../../../src/operations/system/set-aside.ts';
import { runTocsin } from '../../harness/server/server-process.ts';
import { withoutProgram } from '../../harness/server/tools.ts';
import { freshStore, migratedStore, startOn } from '../../harness/site/app.ts';
import { siteOn } from '../../harness/site/site.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

type Environment = Readonly<Record<string, string>>;

const dayMs = 86_400_000;
const withSqlite = storesUnderTest().includes('sqlite') ? false : 'needs SQLite';
const withPostgres = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

/** Runs doctor in this process; returns its output and whether it found no problem. */
async function examine(t: TestContext, environment: Environment): Promise<{ text: string; isWell: boolean }> {
  const print = t.mock.method(console, 'log', () => {});
  try {
    await runCommand(['doctor'], environment);
    const text = print.mock.calls.map(({ arguments: words }) => words.join(' ')).join('\n');
    return { text, isWell: process.exitCode !== 1 };
  } finally {
    process.exitCode = undefined;
    print.mock.restore();
  }
}

async function assertProblem(t: TestContext, environment: Environment, ...says: RegExp[]): Promise<void> {
  const { text, isWell } = await examine(t, environment);
  assert.ok(!isWell, text);
  for (const words of says) assert.match(text, words);
}

function fingerprint(folder: string): unknown {
  const names = readdirSync(folder);
  return names.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ]);
}

test('doctor lists every wrong setting, prints no secret and exits with 1', async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const ended = await runTocsin(
    { ...environment, TOCSIN_PROT: '1', TOCSIN_TOKEN_SECONDS: 'x', TOCSIN_ADMIN_PASSWORD: 'hunter' },
    ['doctor'],
  );
  assert.equal(ended.code, 1, ended.output);
  assert.match(ended.output, /^problem {2}TOCSIN_PROT is not a setting.*TOCSIN_PORT/m);
  assert.match(ended.output, /^problem {2}TOCSIN_TOKEN_SECONDS=x must be/m);
  assert.match(ended.output, /TOCSIN_ADMIN_PASSWORD=\*\*\*/);
  assert.doesNotMatch(ended.output, /hunter/);
});

testOnStores(
  'doctor finds no problem before the first start, beside a server and after it, and changes nothing',
  async (t, kind) => {
    const environment = await freshStore(t, kind);
    const folder = environment.TOCSIN_DATA_DIR ?? '';
    const fresh = await examine(t, environment);
    assert.ok(fresh.isWell, fresh.text);
    assert.deepEqual(readdirSync(folder), []);
    const app = await startOn(t, environment);
    await app.store.write(createApiKey, {
      caller: terminalCaller,
      name: 'plant',
      tokenHash: 'h',
      scopes: ['alarms:read'],
      stationIds: [],
      expiresAt: Date.now() + 10.5 * dayMs,
    });
    const beside = await examine(t, { ...environment, TOCSIN_PORT: new URL(app.url).port });
    assert.ok(beside.isWell, beside.text);
    assert.match(beside.text, /^ok {7}A Tocsin is running on port \d+ .* and is ready/m);
    assert.match(beside.text, /^warning {2}The API key 1 "plant" expires in 10 days/m);
    assert.match(beside.text, /^warning {2}Phones are only simulated/m);
    await app.stop();
    const before = fingerprint(folder);
    const after = await examine(t, environment);
    assert.ok(after.isWell, after.text);
    assert.match(after.text, kind === 'sqlite' ? /passes quick_check/ : /PostgreSQL \d+.* answers/);
    assert.deepEqual(fingerprint(folder), before);
    for (const { text } of [fresh, beside, after]) assert.doesNotMatch(text, /correct horse|postgres:\/\//);
  },
);

testOnStores('doctor lists work that is set aside because of a fault in Tocsin', async (t, kind) => {
  const environment = await migratedStore(t, kind);
  const app = await startOn(t, environment);
  const id = await (await siteOn(t, app)).alarms.send({ path: 'Pump' });
  await app.store.write(setAsideRow, { kind: 'alarm', id });
  await app.stop();
  await assertProblem(t, environment, new RegExp(`^problem {2}.*${id}.* \\(alarm \\d+\\): the log names`, 'm'));
});

test('doctor reports a port that another program uses', async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const other = createServer((_, response) => response.end('{"hello":"world"}')).listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await assertProblem(t, { ...environment, TOCSIN_PORT: String(port) }, /^problem {2}Another program has port/m);
});

test('doctor reports a damaged, foreign or missing database', { skip: withSqlite }, async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const file = join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db');
  const app = await startOn(t, environment);
  await app.stop();
  const bytes = readFileSync(file);
  for (let at = 4096; at < bytes.length; at += 7) bytes[at] = (at * 31) & 255;
  writeFileSync(file, bytes);
  await assertProblem(t, environment, /^problem {2}.*damaged.*tocsin restore FILE/m);
  writeFileSync(file, 'Dear diary');
  await assertProblem(t, environment, /^problem {2}.*not a Tocsin database/m);
  rmSync(file);
  await assertProblem(t, environment, /^problem {2}.*lost, or its disk is not mounted/m);
});

test('doctor reports a data folder that cannot be written', async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const notAFolder = join(environment.TOCSIN_DATA_DIR ?? '', 'file');
  writeFileSync(notAFolder, '');
  await assertProblem(
    t,
    { ...environment, TOCSIN_DATA_DIR: join(notAFolder, 'data') },
    /^problem {2}.*cannot be written/m,
  );
});

test('doctor reports an unreachable or unsafe PostgreSQL without printing its password', {
  skip: withPostgres,
}, async (t) => {
  const environment = await freshStore(t, 'postgres');
  const url = new URL(environment.TOCSIN_DATABASE_URL ?? '');
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`alter database ${url.pathname.slice(1)} set synchronous_commit = off`);
  await client.end();
  await assertProblem(t, environment, /^problem {2}.*synchronous_commit = off/m);
  url.port = '1';
  const { text, isWell } = await examine(t, { ...environment, TOCSIN_DATABASE_URL: url.href });
  assert.ok(!isWell);
  assert.match(text, /^problem {2}.*TOCSIN_DATABASE_URL cannot be used/m);
  assert.ok(!text.includes(url.password));
});

test('doctor checks the TLS certificate and its key', { skip: withoutProgram('openssl') }, async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  const make = (name: string, days: number) => {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x'];
    execFileSync('openssl', ['req', '-x509', ...kind, '-days', String(days), '-keyout', key, '-out', cert], {
      stdio: 'pipe',
    });
    return { TOCSIN_TLS_CERT: cert, TOCSIN_TLS_KEY: key };
  };
  const [long, short] = [make('long', 90), make('short', 10)];
  const well = await examine(t, { ...environment, ...long });
  assert.match(well.text, /^ok {7}The certificate .* matches its key and is valid for (89|90) days/m);
  const soon = await examine(t, { ...environment, ...short });
  assert.match(soon.text, /^warning {2}The certificate .* expires in (9|10) days/m);
  assert.ok(soon.isWell);
  const mixed = { ...long, TOCSIN_TLS_KEY: short.TOCSIN_TLS_KEY };
  await assertProblem(t, { ...environment, ...mixed }, /^problem {2}The key .* is not the one of the certificate/m);
  writeFileSync(long.TOCSIN_TLS_CERT, 'not a certificate');
  await assertProblem(t, { ...environment, ...long }, /^problem {2}The certificate .* cannot be used/m);
});
