// A browser that has signed in stays known by a mark: what strangers guess at the name does not shut it out.

import assert from 'node:assert/strict';
import { type Answer, adminPassword, startTestApp, type TestApp } from '../../harness/site/app.ts';
import { siteOn } from '../../harness/site/site.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const proxied = { overrides: { TOCSIN_TRUSTED_PROXIES: '127.0.0.1' } };
const minute = 60_000;
const day = 86_400_000;
const home = '198.51.100.1';
const phone = '203.0.113.9';
const page = 'https://tocsin.example';

type Sent = {
  readonly from?: string;
  readonly password?: string;
  readonly username?: string;
  readonly mark?: string | undefined;
  readonly origin?: string | undefined;
};

/** Signs in as the console does, unless no origin is given. */
function signIn(app: TestApp, sent: Sent = {}): Promise<Answer> {
  const { from = home, password = adminPassword, username = 'admin', mark, origin = page } = sent;
  const headers = {
    'x-forwarded-for': from,
    ...(origin === '' ? {} : { origin }),
    ...(mark === undefined ? {} : { cookie: `other=1; tocsin_device=${mark}` }),
  };
  return app.request('POST', '/api/v1/auth/login', { body: { grant_type: 'password', username, password }, headers });
}

function markIn({ headers }: Answer): string {
  return /^tocsin_device=([\w-]+);/.exec(headers.get('set-cookie') ?? '')?.[1] ?? assert.fail('no mark');
}

async function firstMark(app: TestApp, sent: Sent = {}): Promise<string> {
  const answer = await signIn(app, sent);
  assert.equal(answer.status, 200);
  return markIn(answer);
}

/** Uses up the guesses that addresses new to the account share: five from each of four. */
async function guessFromEverywhere(app: TestApp, username = 'admin'): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const guess = { from: `192.0.2.${Math.floor(n / 5)}`, password: `guess ${n}`, username };
    assert.equal((await signIn(app, guess)).status, 400);
  }
}

testOnAnyStore(
  'a known browser signs in from a new address although strangers guessed at the name',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    const mark = await firstMark(app);
    await guessFromEverywhere(app);
    assert.equal((await signIn(app, { from: phone })).status, 429, 'a stranger waits');
    const answer = await signIn(app, { from: phone, mark });
    assert.deepEqual([answer.status, markIn(answer)], [200, mark], 'and keeps its mark');
  },
);

testOnAnyStore('strangers behind the address of a known browser do not delay it', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  const mark = await firstMark(app);
  for (let n = 0; n < 5; n++) assert.equal((await signIn(app, { password: `guess ${n}` })).status, 400);
  assert.equal((await signIn(app)).status, 429);
  assert.equal((await signIn(app, { mark })).status, 200);
});

testOnAnyStore('a mark allows no more guesses than a known address does, wherever they come from', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  const mark = await firstMark(app);
  let evaluated = 0;
  for (let n = 0; n < 300; n++) {
    const { status } = await signIn(app, { from: `192.0.2.${n % 200}`, password: `guess ${n}`, mark });
    if (status === 400) evaluated++;
    else assert.equal(status, 429);
    app.clock.advance((15 * minute) / 300);
  }
  assert.ok(evaluated > 5 && evaluated < 20, `${evaluated} guesses were evaluated in fifteen minutes`);
  app.clock.advance(5 * minute);
  assert.equal((await signIn(app, { from: phone, mark })).status, 200);
});

testOnAnyStore(
  'a mark is known to the account it was given for, and a mark that was not given is replaced',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    const site = await siteOn(t, app);
    await site.create('/users', { name: 'ana', role: 'observer', password: adminPassword, numbers: [] });
    const mark = await firstMark(app);
    await guessFromEverywhere(app, 'ana');
    const own = { username: 'ana', from: phone };
    assert.equal((await signIn(app, { ...own, mark })).status, 429, 'the mark of another account');
    assert.equal((await signIn(app, { ...own, mark: 'planted' })).status, 429);
    await guessFromEverywhere(app, 'nobody');
    assert.equal((await signIn(app, { username: 'nobody', from: phone, mark })).status, 429);
    app.clock.advance(15 * minute);
    assert.notEqual(await firstMark(app, { ...own, mark: 'planted' }), 'planted');
  },
);

testOnAnyStore('marks are forgotten with the password, after 30 days, and beyond twenty browsers', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  const site = await siteOn(t, app);
  const ana = { username: 'ana', from: phone };
  const body = { name: 'ana', role: 'observer', numbers: [] };
  const id = await site.create('/users', { ...body, password: adminPassword });
  const isKnown = async (mark: string): Promise<boolean> => {
    await guessFromEverywhere(app, 'ana');
    const { status } = await signIn(app, { ...ana, from: '203.0.113.77', mark });
    app.clock.advance(16 * minute);
    return status === 200;
  };
  const replaced = await firstMark(app, ana);
  await site.ask('PUT', `/users/${id}`, { ...body, password: adminPassword });
  assert.equal(await isKnown(replaced), false, 'the password was set');
  const old = await firstMark(app, ana);
  const newer: string[] = [];
  for (let n = 0; n < 20; n++) {
    app.clock.advance(1_000);
    newer.push(await firstMark(app, ana));
  }
  assert.equal(await isKnown(old), false, 'twenty others came after it');
  const kept = newer[0] ?? '';
  assert.equal(await isKnown(kept), true);
  app.clock.advance(31 * day);
  assert.equal(await isKnown(kept), false, '30 days');
});

testOnAnyStore('the cookie is for sign-ins alone, and the store has only its hash', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  const answer = await signIn(app);
  const cookie = answer.headers.get('set-cookie') ?? '';
  assert.match(
    cookie,
    /^tocsin_device=tocd_[\w-]{43}; Path=\/api\/v1\/auth\/login; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
  );
  const plain = await signIn(app, { origin: 'http://127.0.0.1:8080' });
  assert.doesNotMatch(plain.headers.get('set-cookie') ?? '; Secure', /Secure/);
  assert.equal((await signIn(app, { origin: '' })).headers.get('set-cookie'), null, 'programs keep no cookies');
  assert.equal((await signIn(app, { password: 'wrong' })).headers.get('set-cookie'), null);
  const tables = await tablesOf(app.environment);
  t.after(() => tables.close());
  const stored = await tables.all('sign_in_addresses');
  assert.ok(stored.some(({ network }) => network.startsWith('device:')));
  assert.ok(!JSON.stringify(stored).includes(markIn(answer)));
});
