// The server stops while a provider handles a delivery: the outcome is still stored, so nothing is delivered twice, but
// the stop does not wait long.

import assert from 'node:assert/strict';
import { PostOffice, trunk } from '../../../harness/mail/post-office.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

/** Raises an alarm and holds its call to ana inside the fake provider. */
async function callUnderWay(site: Site, post: PostOffice) {
  await site.create('/providers', trunk);
  const numbers = [{ channel: 'voice', address: '+33100000001', countTry: 1, timeToAck: 600 }];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  post.hold();
  await site.alarms.raise(group);
  await until(
    () => post.asked.length,
    (count) => count === 1,
  );
}

/** Resolves when the stopping server refuses connections. */
async function isClosed(site: Site): Promise<void> {
  await until(
    () =>
      site.app.request('GET', '/health/live').then(
        () => false,
        () => true,
      ),
    (isRefused) => isRefused,
  );
}

testOnStores('a delivery in progress at a stop is completed and not repeated', async (t, kind) => {
  const post = new PostOffice();
  const site = await startSite(t, kind, { openers: { sip: () => post } });
  await callUnderWay(site, post);
  const stopped = site.app.stop();
  await isClosed(site);
  post.letGo();
  await stopped;
  await site.restart();
  site.app.clock.advance(11_000);
  const rows = await site.callHistories();
  assert.deepEqual(
    rows.map(({ attempt, detail }) => `${attempt} ${detail}`),
    ['1 handed in'],
  );
  assert.equal(post.asked.length, 1);
});

testOnStores(
  'a request that waits for an acknowledgement returns false at a stop and does not delay the stop',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const waiting = site.ask<boolean>('POST', '/call/users?wait=120', { userIds: [ana.id], msgText: 'come' });
    await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
    await ana.isCalled(/come/);
    await site.restart();
    assert.equal(await waiting, false);
    await ana.takes();
  },
);

testOnStores('a stop leaves a slow delivery, and the next start repeats the same attempt', async (t, kind) => {
  const post = new PostOffice();
  const site = await startSite(t, kind, { openers: { sip: () => post } });
  await callUnderWay(site, post);
  const begin = performance.now();
  await site.app.stop();
  assert.ok(performance.now() - begin < 10_000, 'a stop waited longer than a server may');
  post.letGo();
  await site.restart();
  site.app.clock.advance(11_000);
  assert.deepEqual(
    (await site.callHistories()).map(({ attempt, detail }) => `${attempt} ${detail}`),
    ['1 handed in'],
  );
  const [first, second, ...more] = post.asked;
  assert.equal(second?.attemptId, first?.attemptId);
  assert.deepEqual([first?.isUnsure, second?.isUnsure, more.length], [false, true, 0]);
});
