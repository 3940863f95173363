// A message or alarm that comes while the phone rings is not part of that call; the next call is for the remaining
// causes.

import assert from 'node:assert/strict';
import { type Story, sms, startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

/** The status, acknowledgement and alarm of each row of the call history. */
async function rows(story: Story) {
  const all = await story.histories();
  return all.map(({ status, ackTime, alarmId }) => ({ status, isAcknowledged: ackTime !== undefined, alarmId }));
}

testOnStores(
  'a second message during a ringing call waits: the first is acknowledged, the next call has the second',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana');
    const send = (msgText: string) => story.ask<boolean>('POST', '/call/users?wait=30', { userIds: [ana.id], msgText });
    const first = send('first');
    await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
    await ana.isCalled(/^first$/);
    await story.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'second' });
    await story.settle();
    await ana.takes();
    assert.equal(await first, true);
    await ana.isCalled(/^second$/);
    await ana.takes();
    await ana.isNotCalled();
    const acknowledged = { status: 5, isAcknowledged: true, alarmId: undefined };
    assert.deepEqual(await rows(story), [acknowledged, acknowledged]);
  },
);

testOnStores('a second alarm during a ringing call gets a history row of its own', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const first = await story.raise(group, { path: 'First', alarmMessage: 'first' });
  await ana.isCalled(/^first$/);
  const second = await story.raise(group, { path: 'Second', alarmMessage: 'second' });
  await story.settle();
  await ana.takes();
  await ana.isCalled(/^second$/);
  assert.deepEqual([(await story.alarm(first)).ackUser, (await story.alarm(second)).ackUser], ['ana', '']);
  assert.deepEqual(await rows(story), [
    { status: 5, isAcknowledged: true, alarmId: first },
    { status: 1, isAcknowledged: false, alarmId: second },
  ]);
  await ana.takes();
});

testOnStores('after "heard" the next call is for both alarms, and the first stays acknowledged', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { path: 'First', alarmMessage: 'first' });
  await ana.isCalled(/^first$/);
  await story.raise(group, { path: 'Second', alarmMessage: 'second' });
  await story.settle();
  await ana.hears();
  await ana.isCalled(/^1 of 2: first\n2 of 2: second$/);
  const [heard] = await rows(story);
  assert.deepEqual([heard?.status, heard?.isAcknowledged], [5, true]);
});

testOnStores('a message to a pager is acknowledged on delivery', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [sms('+33600000001', { ackAutoDefault: 1 })] });
  const body = { userIds: [ana.id], msgText: 'come in' };
  assert.equal(await story.ask<boolean>('POST', '/call/users?wait=30', body), true);
  await story.settle();
});
