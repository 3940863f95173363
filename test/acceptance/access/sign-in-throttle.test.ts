// Password guessing is limited by failures alone: new addresses share a budget per account, known addresses keep their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purgeExpired } from '../../../src/operations/system/purge.ts';
import {
  type Answer,
  adminPassword,
  startBeside,
  startOn,
  startTestApp,
  type TestApp,
} from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { siteOn } from '../../harness/site/site.ts';
import { soak } from '../../harness/soak.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { type TableReader, tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const proxied = { overrides: { TOCSIN_TRUSTED_PROXIES: '127.0.0.1' } };
const minute = 60_000;
const day = 86_400_000;
const office = '198.51.100.1';

/** The address of the nth client among a million. */
function client(n: number): string {
  return `10.${Math.floor(n / 65_536) % 256}.${Math.floor(n / 256) % 256}.${n % 256}`;
}

function signIn(app: TestApp, from: string, password = adminPassword, username = 'admin'): Promise<Answer> {
  const body = { grant_type: 'password', username, password };
  return app.request('POST', '/api/v1/auth/login', { body, headers: { 'x-forwarded-for': from } });
}

async function statuses(answers: Iterable<Promise<Answer>>): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { status } of await Promise.all(answers)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** Uses up the budget that addresses new to the account share. */
async function guessFromEverywhere(app: TestApp, username = 'admin', guesses = 20): Promise<void> {
  for (let n = 0; n < guesses; n++) assert.equal((await signIn(app, client(n), `guess ${n}`, username)).status, 400);
}

/** Records guesses without requests, which would take long. */
async function fillGuesses(tables: TableReader, count: number, account: string, network: string, at: number) {
  await tables.run(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into sign_in_guesses (account, network, at, is_new_address) select ${account}, ${network}, ${at}, 1 from numbers`);
}

testOnAnyStore('169 guesses at once at one account from as many new addresses: 20 are evaluated', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  assert.equal((await signIn(app, office)).status, 200);
  const counts = await statuses(Array.from({ length: 169 }, (_, n) => signIn(app, client(n), `guess ${n}`)));
  assert.deepEqual([counts.get(400), counts.get(429)], [20, 149]);
  assert.equal((await signIn(app, office)).status, 200, 'the user gets in from the known address');
  const elsewhere = await signIn(app, client(1_000));
  assert.equal(elsewhere.status, 429, 'from a new address the right password waits');
  assert.equal(elsewhere.headers.get('retry-after'), '900');
  app.clock.advance(15 * minute);
  assert.equal((await signIn(app, client(1_000))).status, 200);
});

testOnAnyStore(
  'of 1,000 guesses from changing addresses at most 20 are evaluated in any fifteen minutes',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    const evaluated: number[] = [];
    const guesses = soak(1_000);
    for (let n = 0; n < guesses; n++) {
      const { status } = await signIn(app, client(n % 50), `guess ${n}`);
      if (status === 400) evaluated.push(app.clock.now());
      else assert.equal(status, 429);
      app.clock.advance((25 * minute) / guesses);
    }
    assert.ok(evaluated.length > 20, 'old guesses stop counting');
    for (const last of evaluated) {
      const within = evaluated.filter((at) => at > last - 15 * minute && at <= last);
      assert.ok(within.length <= 20, `${within.length} guesses within fifteen minutes`);
    }
  },
);

testOnAnyStore('the count of guesses and the known addresses survive a restart', async (t, kind) => {
  const first = await startTestApp(t, kind, proxied);
  assert.equal((await signIn(first, office)).status, 200);
  await guessFromEverywhere(first);
  await first.stop();
  const second = await startOn(t, first.environment, first.clock);
  assert.equal((await signIn(second, client(99))).status, 429);
  assert.equal((await signIn(second, office)).status, 200);
});

test('postgres: two nodes share the count of guesses, also of those sent at the same time', {
  skip: !storesUnderTest().includes('postgres'),
}, async (t) => {
  const one = await startTestApp(t, 'postgres', proxied);
  const other = await startBeside(t, one);
  assert.equal((await signIn(one, office)).status, 200);
  const counts = await statuses(
    Array.from({ length: 60 }, (_, n) => signIn(n % 2 === 0 ? one : other, client(n), `guess ${n}`)),
  );
  assert.deepEqual([counts.get(400), counts.get(429)], [20, 40]);
  assert.equal((await signIn(other, office)).status, 200, 'an address known to one node is known to the other');
});

testOnAnyStore(
  'right passwords never count: 70 sign-ins at once and 70 in turn from one address succeed',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    const site = await siteOn(t, app);
    for (let n = 0; n < 3; n++)
      await site.create('/users', { name: `user ${n}`, role: 'observer', password: adminPassword, numbers: [] });
    for (let n = 0; n < 70; n++) assert.equal((await signIn(app, office)).status, 200);
    const atOnce = Array.from({ length: 70 }, (_, n) => signIn(app, client(7), adminPassword, `user ${n % 3}`));
    assert.deepEqual([...(await statuses(atOnce))], [[200, 70]]);
  },
);

testOnAnyStore(
  'guesses at other accounts behind an address refuse nobody known there, and new ones wait',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    assert.equal((await signIn(app, office)).status, 200);
    const tables = await tablesOf(app.environment);
    t.after(() => tables.close());
    await fillGuesses(tables, 49, `'account ' || n`, `'${office}'`, app.clock.now());
    assert.equal((await signIn(app, office, 'guess', 'name 49')).status, 400);
    assert.equal(
      (await signIn(app, office, 'guess', 'name 50')).status,
      429,
      'an address has 50 guesses at new accounts',
    );
    assert.equal((await signIn(app, office)).status, 200);
    assert.equal((await signIn(app, client(1), 'guess', 'name 50')).status, 400, 'other addresses are not affected');
  },
);

testOnAnyStore('a success clears the guesses at that account from that address only', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  for (let n = 0; n < 5; n++) assert.equal((await signIn(app, office, 'guess')).status, 400);
  for (let n = 0; n < 5; n++) assert.equal((await signIn(app, office, 'guess', 'ana')).status, 400);
  assert.equal((await signIn(app, office)).status, 429, 'the sixth waits a second');
  app.clock.advance(1_000);
  assert.equal((await signIn(app, office)).status, 200);
  for (let n = 0; n < 5; n++) assert.equal((await signIn(app, office, 'guess')).status, 400);
  assert.equal((await signIn(app, office, 'guess')).status, 429);
  assert.equal((await signIn(app, office, 'guess', 'ana')).status, 400, 'after its second');
  assert.equal((await signIn(app, office, 'guess', 'ana')).status, 429, 'the other account keeps its count');
});

testOnAnyStore('names that do not exist are throttled exactly like those of users', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  const told = async (username: string) => {
    const answers: unknown[] = [];
    for (let n = 0; n < 30; n++) {
      const from = n < 10 ? client(0) : client(n);
      const { status, text, headers } = await signIn(app, from, `guess ${n}`, username);
      answers.push([status, text, headers.get('retry-after')]);
    }
    return answers;
  };
  const [user, nobody] = [await told('Admin'), await told('Nobody')];
  assert.deepEqual(nobody, user);
  assert.deepEqual(new Set(user.map((answer) => (answer as unknown[])[0])), new Set([400, 429]));
});

testOnAnyStore(
  'an address stays known for thirty days; addresses of one IPv6 /64 network count as one',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    assert.equal((await signIn(app, '2001:db8:1:2::9')).status, 200);
    app.clock.advance(30 * day - 1);
    await guessFromEverywhere(app);
    assert.equal((await signIn(app, '2001:db8:1:3::9')).status, 429);
    assert.equal((await signIn(app, '2001:db8:1:2:ffff::1')).status, 200);
    app.clock.advance(30 * day);
    await guessFromEverywhere(app);
    assert.equal((await signIn(app, '2001:db8:1:2::9')).status, 429);
  },
);

testOnAnyStore(
  'a flood of names and addresses leaves 3,000 rows at most, and the purge removes them',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    assert.equal((await signIn(app, office)).status, 200);
    const tables = await tablesOf(app.environment);
    t.after(() => tables.close());
    // Filling the table by requests would take a minute.
    await tables.run(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2995)
    insert into sign_in_guesses (account, network, at, is_new_address)
    select 'account ' || n, 'network ' || n, ${app.clock.now()}, 1 from numbers`);
    const counts = await statuses(Array.from({ length: 40 }, (_, n) => signIn(app, client(n), 'guess', `name ${n}`)));
    assert.deepEqual([counts.get(400), counts.get(429)], [5, 35]);
    assert.equal((await tables.all('sign_in_guesses')).length, 3_000);
    assert.equal((await signIn(app, office)).status, 200, 'known addresses are not affected');
    app.clock.advance(15 * minute);
    await app.store.write(purgeExpired, { asOf: app.clock.now(), eventsBefore: 0 });
    assert.equal((await tables.all('sign_in_guesses')).length, 0);
  },
);

testOnAnyStore(
  'a user has fifty known addresses at most, the latest ones; the purge forgets them all',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    const tables = await tablesOf(app.environment);
    t.after(() => tables.close());
    for (let n = 0; n < 52; n++) {
      assert.equal((await signIn(app, client(n))).status, 200);
      app.clock.advance(1_000);
    }
    const known = (await tables.all('sign_in_addresses')).map(({ network }) => network);
    assert.deepEqual(known.toSorted(), Array.from({ length: 50 }, (_, n) => client(n + 2)).toSorted());
    app.clock.advance(30 * day);
    await app.store.write(purgeExpired, { asOf: app.clock.now(), eventsBefore: 0 });
    assert.deepEqual(await tables.all('sign_in_addresses'), []);
  },
);

testOnAnyStore(
  'guesses recorded before the clock was set back and the server restarted lock nobody out',
  async (t, kind) => {
    const ahead = await startTestApp(t, kind, proxied);
    await guessFromEverywhere(ahead);
    await ahead.stop();
    const app = await startOn(t, ahead.environment, fakeClock(ahead.clock.now() - day));
    assert.equal((await signIn(app, client(99))).status, 200);
  },
);

testOnAnyStore('names are not stored with guesses, because people type passwords in their place', async (t, kind) => {
  const app = await startTestApp(t, kind, proxied);
  assert.equal((await signIn(app, office, 'guess', 'my secret password')).status, 400);
  const tables = await tablesOf(app.environment);
  t.after(() => tables.close());
  const rows = await tables.all('sign_in_guesses');
  assert.equal(rows.length, 1);
  assert.doesNotMatch(JSON.stringify(rows), /secret/i);
});

test('a sign-in from a known address does not wait behind a flood of strangers', async (t) => {
  const app = await startTestApp(t, 'sqlite', proxied);
  assert.equal((await signIn(app, office)).status, 200);
  let answered = 0;
  const flood = Array.from({ length: 190 }, async (_, n) => {
    await signIn(app, client(n), 'guess', `name ${n}`);
    answered++;
  });
  await Promise.race(flood);
  assert.equal((await signIn(app, office)).status, 200);
  assert.ok(answered < 150, `${answered} of 190 strangers went first`);
  await Promise.all(flood);
});

testOnAnyStore(
  'behind an address where somebody has signed in, the names of users are answered like names that nobody has',
  async (t, kind) => {
    const app = await startTestApp(t, kind, proxied);
    assert.equal((await signIn(app, office)).status, 200);
    const told = async (username: string): Promise<unknown> => {
      const { status, headers, body } = await signIn(app, office, 'a guess', username);
      return { status, retryAfter: headers.get('retry-after'), body };
    };
    // The budget of the address is used up by names that nobody has; a guess at a user counts like one of them.
    for (let n = 0; n < 49; n++) assert.equal((await signIn(app, office, 'a guess', `nobody ${n}`)).status, 400);
    assert.equal((await signIn(app, office, 'a guess')).status, 400);
    const stranger = await told('nobody at all');
    assert.equal((stranger as { status: number }).status, 429);
    // Beyond the free guesses too, where an account would have a delay of its own.
    for (let n = 0; n < 8; n++) assert.deepEqual(await told('admin'), stranger);
    app.clock.advance(10_000);
    assert.equal((await signIn(app, office)).status, 200, 'and the right password is not delayed by strangers');
  },
);
