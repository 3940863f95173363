// The server is told to stop while a provider is being asked: what it answers still counts, so nobody is called twice for
// a stop; but a stop does not wait for long.

import assert from 'node:assert/strict';
import { PostOffice } from '../../../harness/post-office.ts';
import { type Site, startSite } from '../../../harness/site.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

/** A mail to ana is in the hands of the post office. */
async function mailUnderWay(site: Site, post: PostOffice) {
  const numbers = [{ channel: 'email', address: 'ana@example.org', countTry: 1, timeToAck: 600 }];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  post.hold();
  await site.alarms.raise(group);
  await until(
    () => post.asked.length,
    (count) => count === 1,
  );
}

/** The server has begun to stop as soon as it takes nobody in. */
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

testOnStores('what is being delivered at a stop is seen through, and not delivered again', async (t, kind) => {
  const post = new PostOffice();
  const site = await startSite(t, kind, { channels: new Map([['email', post]]) });
  await mailUnderWay(site, post);
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
  'who waits for a call to be acknowledged is answered that it is not, and holds up no stop',
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

testOnStores('what takes too long is left, and asked for once more by the next', async (t, kind) => {
  const post = new PostOffice();
  const site = await startSite(t, kind, { channels: new Map([['email', post]]) });
  await mailUnderWay(site, post);
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
