// Users called by request, with a message.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

testOnAnyStore(
  'the response is true if all users are called, false if one cannot be, 422 if none is named',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const bo = await site.person('bo', { numbers: [voice('+33100000002', { valid: false })] });
    const call = (userIds: readonly number[], msgText = 'Come to the gate') =>
      site.request('POST', '/call/users', { userIds, msgText });
    assert.equal((await call([ana.id])).body, true);
    await ana.isCalled(/^Come to the gate$/);
    const said = await ana.takes();
    assert.match(said[1] ?? '', /^Come to the gate/);
    // Her number rests after a ring, whatever it was for.
    await site.advance('2m');
    assert.equal((await call([ana.id, bo.id, 4711])).body, false);
    await ana.isCalled();
    await ana.hears();
    const failed = (await site.callHistories()).filter(({ attempt }) => attempt === 0);
    assert.deepEqual(
      failed.map(({ userId, user, status, cause, detail }) => [userId, user, status, cause, detail]),
      [
        [bo.id, 'bo', 4, 'message', 'has no number that can be used'],
        [4711, '', 4, 'message', 'does not exist'],
      ],
    );
    assert.equal((await call([])).status, 422);
  },
);

testOnAnyStore('a test call to a number that is not verified says so in the history', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { verified: false })] });
  assert.equal((await site.request('POST', '/call/test', { userIds: [ana.id] })).body, false);
  const [row] = await site.callHistories();
  assert.equal(row?.detail, 'has no number that can be used: number •••001 is not verified');
});

testOnAnyStore('with wait the response says whether everybody has acknowledged', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const path = '/call/users?wait=30';
  const taken = site.ask<boolean>('POST', path, { userIds: [ana.id], msgText: 'one' });
  await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await ana.isCalled(/one/);
  await ana.takes();
  assert.equal(await taken, true);
  // Her number rests after a ring, whatever it was for.
  await site.advance('2m');
  const declined = site.ask<boolean>('POST', path, { userIds: [ana.id], msgText: 'two' });
  await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await ana.isCalled(/two/);
  await ana.declines();
  assert.equal(await declined, false);
  await site.expectWhatRings();
});

testOnAnyStore('calls to a thousand users are rate-limited per caller; alarms still call', async (t, kind) => {
  const site = await startSite(t, kind);
  const userIds = Array.from({ length: 1_000 }, (_, n) => n + 100_000);
  const body = { userIds: [1, ...userIds.slice(1)], msgText: 'many' };
  assert.equal((await site.request('POST', '/call/users', body)).status, 200);
  const refused = await site.request('POST', '/call/users', { userIds: [1], msgText: 'one more' });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
  const alarmActions = [{ type: 'CallUser', id: 1 }];
  assert.equal((await site.request('POST', '/alarms', { path: 'x', alarmActions })).status, 200);
  site.app.clock.advance(1_000);
  assert.equal((await site.request('POST', '/call/users', { userIds: [1], msgText: 'now' })).status, 200);
  await site.expectWhatRings();
});

testOnAnyStore('"heard" for an alarm does not acknowledge a message that was declined', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await ana.isCalled();
  await ana.hears();
  await site.admin.isCalled(/^Nobody has taken this: Pump1/);
  await site.admin.declines();
  // Her number rests after a ring, whatever it was for.
  await site.advance('2m');
  const answer = site.ask<boolean>('POST', '/call/users?wait=30', { userIds: [ana.id], msgText: 'come in' });
  await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await ana.isCalled(/come in/);
  await ana.declines();
  assert.equal(await answer, false);
  await site.expectWhatRings();
});
