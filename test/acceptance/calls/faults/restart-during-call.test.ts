// The server is restarted during calls: no step is lost, and nobody is called twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { freshStore, type TestApp } from '../../../harness/site/app.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

testOnStores('ringing and pauses continue over restarts, and each attempt is made once', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
  const bo = await site.person('bo');
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  await site.advance('10s');
  await site.restart();
  await site.advance('15s');
  await ana.isCalled();
  assert.equal((await site.callHistories()).length, 1);
  await site.advance('5s');
  await ana.isNotCalled();
  await site.restart();
  await site.advance('59s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled();
  await site.restart();
  await site.advance('30s');
  await bo.isCalled();
  assert.deepEqual((await ana.messages()).length, 2);
  const rows = (await site.callHistories()).map(({ user, attempt, detail }) => `${user} ${attempt} ${detail}`);
  assert.deepEqual(rows, ['ana 1 no answer', 'ana 2 no answer', 'bo 1 nobody has taken it']);
  await bo.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'bo');
});

testOnStores('a call answered before a restart continues after it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { alarmActions: [{ type: 'CallGroup', id: group, parameter: '60' }] });
  await site.restart();
  await site.advance('59s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled();
  await ana.answers('1');
  await site.restart();
  // The node must take its attempt again first; otherwise the outcome of the call would be lost.
  await site.settle();
  assert.equal(await ana.press('1'), 'You have taken it. Thank you.');
  await site.advance('1s');
  assert.equal((await site.callHistories())[0]?.detail, 'answered');
  await site.advance('1h');
  await ana.isNotCalled();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  assert.equal((await site.callHistories()).length, 1);
});

/** The node that holds the lease of each started attempt, by the name of the person called. */
async function holders({ environment }: TestApp): Promise<Readonly<Record<string, string>>> {
  const client = new Client({ connectionString: environment.TOCSIN_DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query(`select user_name, lease_by from call_attempts where state = 'started'`);
    return Object.fromEntries(rows.map(({ user_name, lease_by }) => [user_name, lease_by]));
  } finally {
    await client.end();
  }
}

test('postgres: a restarted node gets its own leases back at once, and those of another node only when they expire', {
  skip: !storesUnderTest().includes('postgres'),
}, async (t) => {
  const site = await startSite(t, 'postgres');
  const home = { TOCSIN_DATA_DIR: site.app.environment.TOCSIN_DATA_DIR ?? '' };
  const elsewhere = { TOCSIN_DATA_DIR: (await freshStore(t, 'sqlite')).TOCSIN_DATA_DIR ?? '' };
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await ana.isCalled();
  const first = await holders(site.app);
  await site.restart(elsewhere);
  await site.alarms.raise(await site.group('Fans', [await site.team('Day', [bo])]), { path: 'Plant/Fan' });
  await bo.isCalled();
  const both = await holders(site.app);
  assert.equal(both.ana, first.ana, 'another node waits for the lease to end');
  await site.restart(home);
  const back = await until(
    () => holders(site.app),
    (now) => now.ana !== both.ana,
  );
  assert.equal(back.bo, both.bo, 'what the other node has is its own until its lease ends');
  site.app.clock.advance(11_000);
  await until(
    () => holders(site.app),
    (now) => now.bo === back.ana,
  );
  await ana.takes();
  await bo.takes();
});
