// A message or alarm that comes while the phone rings is not part of that call; the next call is for the remaining
// causes.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site.ts';
import { sms } from '../../../harness/site-phones.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

/** The status, acknowledgement and alarm of each row of the call history. */
async function rows(site: Site) {
  const all = await site.callHistories();
  return all.map(({ status, ackTime, alarmId }) => ({ status, isAcknowledged: ackTime !== undefined, alarmId }));
}

testOnStores(
  'a second message during a ringing call waits: the first is acknowledged, the next call has the second',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const send = (msgText: string) => site.ask<boolean>('POST', '/call/users?wait=30', { userIds: [ana.id], msgText });
    const first = send('first');
    await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
    await ana.isCalled(/^first$/);
    await site.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'second' });
    await site.settle();
    await ana.takes();
    assert.equal(await first, true);
    await ana.isCalled(/^second$/);
    await ana.takes();
    await ana.isNotCalled();
    const acknowledged = { status: 5, isAcknowledged: true, alarmId: undefined };
    assert.deepEqual(await rows(site), [acknowledged, acknowledged]);
  },
);

testOnStores('a second alarm during a ringing call gets a history row of its own', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const first = await site.alarms.raise(group, { path: 'First', alarmMessage: 'first' });
  await ana.isCalled(/^first$/);
  const second = await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second' });
  await site.settle();
  await ana.takes();
  await ana.isCalled(/^second$/);
  assert.deepEqual([(await site.alarms.get(first)).ackUser, (await site.alarms.get(second)).ackUser], ['ana', '']);
  assert.deepEqual(await rows(site), [
    { status: 5, isAcknowledged: true, alarmId: first },
    { status: 1, isAcknowledged: false, alarmId: second },
  ]);
  await ana.takes();
});

testOnStores('after "heard" the next call is for both alarms, and the first stays acknowledged', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { path: 'First', alarmMessage: 'first' });
  await ana.isCalled(/^first$/);
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second' });
  await site.settle();
  await ana.hears();
  await ana.isCalled(/^1 of 2: first\n2 of 2: second$/);
  const [heard] = await rows(site);
  assert.deepEqual([heard?.status, heard?.isAcknowledged], [5, true]);
});

testOnStores('a message to a pager is acknowledged on delivery', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { ackAutoDefault: 1 })] });
  const body = { userIds: [ana.id], msgText: 'come in' };
  assert.equal(await site.ask<boolean>('POST', '/call/users?wait=30', body), true);
  await site.settle();
});
