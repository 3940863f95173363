// Sign-in and sign-out, sessions, API keys and the slow-down of password guessing.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { startServer } from '../../harness/server/server-process.ts';
import { adminPassword, freshStore, startBeside, startOn, startTestApp, type TestApp } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const login = '/api/v1/auth/login';
const day = 86_400_000;

async function statusWith(app: TestApp, token: string): Promise<number> {
  return (await app.request('GET', '/api/v1/stations', { token })).status;
}

async function makeKey(app: TestApp, token: string, fields: object): Promise<{ id: number; token: string }> {
  const body = {
    name: 'PLC',
    scopes: ['directory:read', 'directory:write'],
    expiryTime: '2027-01-01T00:00:00Z',
    ...fields,
  };
  const answer = await app.request('POST', '/api/v1/auth/keys', { token, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as { id: number; token: string };
}

testOnAnyStore('a sign-in by JSON or by form returns the fields of an OAuth token response', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const body = { grant_type: 'password', username: 'admin', password: adminPassword };
  const json = await app.request('POST', login, { body });
  const form = await app.request('POST', login, {
    body: new URLSearchParams(body).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  for (const answer of [json, form]) {
    assert.equal(answer.status, 200);
    const { access_token, ...rest } = answer.body as Record<string, unknown>;
    assert.match(String(access_token), /^tocs_[\w-]{43}$/);
    assert.deepEqual(rest, { token_type: 'bearer', expires_in: 1_209_599, id: rest.id, name: 'admin' });
    assert.match(String(rest.id), /^\d+$/);
    assert.equal(await statusWith(app, String(access_token)), 200);
  }
});

testOnAnyStore(
  'a refused sign-in returns an OAuth error, the same for an unknown user and for a wrong password',
  async (t, kind) => {
    const app = await startTestApp(t, kind);
    const attempt = (fields: object) =>
      app.request('POST', login, {
        body: { grant_type: 'password', username: 'admin', password: 'wrong wrong', ...fields },
      });
    const wrongPassword = await attempt({});
    const wrongName = await attempt({ username: 'nobody' });
    assert.equal(wrongPassword.status, 400);
    assert.equal((wrongPassword.body as { error: string }).error, 'invalid_grant');
    assert.deepEqual(wrongName.body, wrongPassword.body);
    assert.equal(wrongName.status, 400);
    assert.equal(((await attempt({ grant_type: 'code' })).body as { error: string }).error, 'unsupported_grant_type');
    assert.equal(((await attempt({ username: '' })).body as { error: string }).error, 'invalid_request');
  },
);

testOnAnyStore('password guesses are rate-limited, and the right password works again later', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const guess = (password: string) =>
    app.request('POST', login, { body: { grant_type: 'password', username: 'ADMIN', password } });
  let evaluated = 0;
  for (let second = 0; second < 15 * 60; second += 5) {
    const answer = await guess(`guess ${second}`);
    if (answer.status === 400) evaluated++;
    else assert.equal(answer.status, 429);
    if (answer.status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    app.clock.advance(5_000);
  }
  assert.ok(evaluated <= 20, `${evaluated} guesses were looked at in a quarter of an hour`);
  app.clock.advance(5 * 60_000);
  assert.equal((await guess(adminPassword)).status, 200);
});

testOnAnyStore('a sign-out ends its session at once and leaves other sessions open', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const [one, other] = [await app.signIn(), await app.signIn()];
  assert.equal(await statusWith(app, one), 200);
  const answer = await app.request('POST', '/api/v1/auth/logout', { token: one });
  assert.deepEqual([answer.status, answer.body], [200, true]);
  assert.equal(await statusWith(app, one), 401);
  assert.equal(await statusWith(app, other), 200);
});

testOnAnyStore('a token expires after TOCSIN_TOKEN_SECONDS', async (t, kind) => {
  const app = await startTestApp(t, kind, { overrides: { TOCSIN_TOKEN_SECONDS: '3600' } });
  const token = await app.signIn();
  app.clock.advance(3_599_000);
  assert.equal(await statusWith(app, token), 200);
  app.clock.advance(1_000);
  assert.equal(await statusWith(app, token), 401);
});

testOnAnyStore('a user lists their own sessions and ends one of them', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const second = await app.signIn();
  const list = (await app.request('GET', '/api/v1/auth/sessions?sort=-id', { token })).body as {
    items: { id: number; current: boolean; createdTime: string }[];
    paging: object;
  };
  assert.deepEqual(list.paging, { offset: 0, limit: 1000, total: 2 });
  assert.deepEqual(
    list.items.map(({ current }) => current),
    [false, true],
  );
  assert.equal(list.items[0]?.createdTime, '2026-11-15T13:00:00.000+01:00');
  const ended = await app.request('DELETE', `/api/v1/auth/sessions/${list.items[0]?.id}`, { token });
  assert.equal(ended.status, 200);
  assert.equal(await statusWith(app, second), 401);
  assert.equal((await app.request('DELETE', `/api/v1/auth/sessions/${list.items[0]?.id}`, { token })).status, 404);
});

testOnAnyStore(
  'a user has at most 500 sessions: a further sign-in ends the oldest, and the journal says so',
  async (t, kind) => {
    const app = await startTestApp(t, kind);
    const tables = await tablesOf(app.environment);
    t.after(() => tables.close());
    const oldest = await app.signIn();
    await tables.run(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 498)
    insert into sessions (user_id, token_hash, address, created_at, expires_at)
    select user_id, 'hash ' || n, address, created_at, expires_at from sessions, numbers`);
    const last = await app.signIn();
    assert.deepEqual([await statusWith(app, oldest), await statusWith(app, last)], [200, 200], '500 are open');
    const further = await app.signIn();
    const statuses = await Promise.all([oldest, last, further].map((token) => statusWith(app, token)));
    assert.deepEqual(statuses, [401, 200, 200]);
    const { body } = await app.request('GET', '/api/v1/auth/sessions?limit=0', { token: further });
    assert.equal((body as { paging: { total: number } }).paging.total, 500);
    const journal = await app.request('GET', '/api/v1/journal?kind=session.ended', { token: further });
    assert.match(journal.text, /more than 500 sessions/);
  },
);

testOnAnyStore('an API key is shown once, works within its scopes, and ends when revoked', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const key = await makeKey(app, token, { scopes: ['directory:read'] });
  assert.equal(await statusWith(app, key.token), 200);
  const write = await app.request('POST', '/api/v1/stations', { token: key.token, body: { name: 'North' } });
  assert.equal(write.status, 403);
  assert.match((write.body as { detail: string }).detail, /directory:write/);
  const list = await app.request('GET', '/api/v1/auth/keys', { token });
  assert.doesNotMatch(list.text, /tock_/);
  assert.equal((await app.request('DELETE', `/api/v1/auth/keys/${key.id}`, { token })).status, 200);
  assert.equal(await statusWith(app, key.token), 401);
});

testOnAnyStore('an API key expires at its expiry time; an expiry time in the past is refused', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const key = await makeKey(app, token, { expiryTime: new Date(app.clock.now() + 10 * day).toISOString() });
  const past = { name: 'late', scopes: ['alarms:write'], expiryTime: '2020-01-01' };
  const refused = await app.request('POST', '/api/v1/auth/keys', { token, body: past });
  assert.equal(refused.status, 400);
  assert.equal((refused.body as { errors: { field: string }[] }).errors[0]?.field, 'expiryTime');
  app.clock.advance(10 * day);
  assert.equal(await statusWith(app, key.token), 401);
});

testOnAnyStore('a key bound to a station reads and creates only entries of that station', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const admin = await app.signIn();
  const north = (await app.request('POST', '/api/v1/stations', { token: admin, body: { name: 'North' } }))
    .body as number;
  const here = { token: admin, body: { name: 'Pumps', stationId: north } };
  const pumps = (await app.request('POST', '/api/v1/taggroups', here)).body as number;
  const mains = (await app.request('POST', '/api/v1/taggroups', { token: admin, body: { name: 'Mains' } }))
    .body as number;
  const { token } = await makeKey(app, admin, { stationIds: [north] });
  const names = async (path: string) =>
    ((await app.request('GET', path, { token })).body as { items: { name: string }[] }).items.map(({ name }) => name);
  assert.deepEqual(await names('/api/v1/stations'), ['North']);
  assert.deepEqual(await names('/api/v1/taggroups'), ['Pumps']);
  assert.deepEqual(await names(`/api/v1/taggroups?stationId=1`), []);
  assert.equal((await app.request('GET', `/api/v1/taggroups/${pumps}`, { token })).status, 200);
  for (const [method, body] of [['GET'], ['PUT', { name: 'Mine' }], ['DELETE']] as const) {
    assert.equal((await app.request(method, `/api/v1/taggroups/${mains}`, { token, body })).status, 404, method);
  }
  const foreign = await app.request('POST', '/api/v1/taggroups', { token, body: { name: 'Spy', stationId: 1 } });
  const absent = await app.request('POST', '/api/v1/taggroups', { token, body: { name: 'Spy', stationId: 999 } });
  assert.deepEqual([foreign.status, absent.status], [422, 422]);
  const another = await app.request('POST', '/api/v1/stations', { token, body: { name: 'South' } });
  assert.equal(another.status, 422);
});

testOnAnyStore('a key bound to a station never has the scope admin', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const { token } = await makeKey(app, await app.signIn(), { scopes: ['admin'], stationIds: [1] });
  assert.equal((await app.request('GET', '/api/v1/auth/keys', { token })).status, 403);
});

testOnAnyStore(
  'a session stays valid over a restart of the server with the same environment variables',
  async (t, kind) => {
    const first = await startTestApp(t, kind);
    const token = await first.signIn();
    await first.stop();
    const second = await startOn(t, first.environment, fakeClock(first.clock.now()));
    assert.equal(await statusWith(second, token), 200);
  },
);

testOnAnyStore(
  'TOCSIN_ADMIN_PASSWORD that is set after the first start is logged as unused and changes nothing',
  async (t, kind) => {
    const told = ({ logLines }: TestApp) => logLines.filter(({ msg }) => msg.includes('TOCSIN_ADMIN_PASSWORD'));
    const first = await startTestApp(t, kind);
    assert.deepEqual(told(first), [], 'the first start uses it');
    await first.stop();
    const late = 'another long password';
    const second = await startOn(t, { ...first.environment, TOCSIN_ADMIN_PASSWORD: late });
    const [line, ...others] = told(second);
    assert.match(line?.msg ?? '', /was not used.*"npx tocsin user password admin" sets another/);
    assert.equal(others.length, 0);
    assert.doesNotMatch(JSON.stringify(second.logLines), new RegExp(late));
    await second.signIn();
    await second.stop();
    const { TOCSIN_ADMIN_PASSWORD: _, ...unset } = first.environment;
    assert.deepEqual(told(await startOn(t, unset)), []);
  },
);

test('postgres: a sign-out on one node ends the session on the other', {
  skip: !storesUnderTest().includes('postgres'),
}, async (t) => {
  const one = await startTestApp(t, 'postgres');
  const other = await startBeside(t, one);
  const token = await one.signIn();
  assert.equal(await statusWith(other, token), 200);
  await one.request('POST', '/api/v1/auth/logout', { token });
  await until(
    () => statusWith(other, token),
    (status) => status === 401,
  );
});

test('failed sign-ins count per client behind a trusted proxy; X-Forwarded-For from any other peer is ignored', async (t) => {
  const behindProxy = await startTestApp(t, 'sqlite', { overrides: { TOCSIN_TRUSTED_PROXIES: '127.0.0.1' } });
  const direct = await startTestApp(t, 'sqlite');
  const guessFrom = (app: TestApp, client: string, password = 'a wrong guess') =>
    app.request('POST', login, {
      body: { grant_type: 'password', username: 'admin', password },
      headers: { 'x-forwarded-for': client },
    });
  for (let n = 0; n < 6; n++) await Promise.all([behindProxy, direct].map((app) => guessFrom(app, '192.0.2.1')));
  assert.equal((await guessFrom(behindProxy, '192.0.2.1', adminPassword)).status, 429);
  assert.equal((await guessFrom(behindProxy, '192.0.2.2', adminPassword)).status, 200);
  assert.equal((await guessFrom(direct, '192.0.2.2', adminPassword)).status, 429, 'not fooled by the header');
});

test('a server hashes passwords and PINs with the Argon2 cost that docs/operating.md documents', {
  skip: storesUnderTest().includes('sqlite') ? false : 'needs SQLite',
}, async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const server = await startServer(environment);
  const post = async (path: string, body: object, token?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200);
    return answer.json();
  };
  const credentials = { grant_type: 'password', username: 'admin', password: adminPassword };
  const { access_token: token } = (await post(login, credentials)) as { access_token: string };
  const person = { name: 'ana', role: 'operator', password: 'another horse battery', pin: '4321', numbers: [] };
  await post('/api/v1/users', person, token);
  await server.end('SIGTERM');
  const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { readOnly: true });
  const hashes = db.prepare('SELECT password_hash AS hash FROM users UNION SELECT pin_hash FROM users').all();
  db.close();
  const made = hashes.flatMap(({ hash }) => (hash === null ? [] : [String(hash)]));
  const document = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
  const cost = /`(m=\d+,t=\d+,p=\d+)`/.exec(document)?.[1];
  assert.deepEqual(
    made.map((hash) => hash.split('$').slice(1, 4)),
    Array.from({ length: 3 }, () => ['argon2id', 'v=19', cost]),
  );
});
