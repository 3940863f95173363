// A message or alarm that comes while the phone rings is read when it is answered; one that comes after the proof waits for
// the next call.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

/** The status, acknowledgement and alarm of each row of the call history. */
async function rows(site: Site) {
  const all = await site.callHistories();
  return all.map(({ status, ackTime, alarmId }) => ({ status, isAcknowledged: ackTime !== undefined, alarmId }));
}

testOnAnyStore('a second message during a ringing call is read in it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const send = (msgText: string) => site.ask<boolean>('POST', '/call/users?wait=30', { userIds: [ana.id], msgText });
  const first = send('first');
  await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await ana.isCalled(/^first$/);
  const second = send('second');
  // The request is answered when she has taken the message, so that only the list of calls tells when it has joined.
  await until(
    async () => (await site.list('/calls')).items,
    ([call]) => call?.causeCount === 2,
  );
  await site.settle();
  const said = await ana.answers('1', '1', '1');
  assert.match(said[1] ?? '', /1 of 2: first/);
  assert.match(said[2] ?? '', /2 of 2: second/);
  assert.deepEqual([await first, await second], [true, true]);
  await ana.isNotCalled();
  assert.deepEqual(await rows(site), [{ status: 5, isAcknowledged: true, alarmId: undefined }]);
});

testOnAnyStore('a second message during a ringing call that nobody answers is called for', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const send = (msgText: string) => site.ask<boolean>('POST', '/call/users', { userIds: [ana.id], msgText });
  await send('first');
  await ana.isCalled(/^first$/);
  assert.equal(await send('second'), true);
  await site.advance('90s');
  await ana.isCalled(/second/);
  await site.advance('5m');
  assert.equal((await ana.messages()).length, 2, 'no further call');
});

testOnAnyStore(
  'a gas leak that joins while the phone rings for a lamp is read first when it is answered',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { pin: '4321' });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const lamp = await site.alarms.raise(group, { path: 'Lamp', alarmMessage: 'Lamp broken', priority: 3 });
    await ana.isCalled(/^Lamp broken$/);
    const leak = await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
    await site.settle();
    const said = await ana.answers('1', '4321#', '1', '1');
    assert.match(said[2] ?? '', /Alarm 1 of 2: Gas leak/);
    assert.match(said[3] ?? '', /Alarm 2 of 2: Lamp broken/);
    for (const id of [lamp, leak]) assert.equal((await site.alarms.get(id)).ackUser, 'ana');
    await ana.isNotCalled();
  },
);

testOnAnyStore('an alarm that joins between picking up and the proof is read too', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { path: 'First', alarmMessage: 'first' });
  await ana.isCalled(/^first$/);
  await ana.answers();
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second' });
  await site.settle();
  assert.match(await ana.press('1'), /1 of 2: first/);
  assert.match(await ana.press('2'), /2 of 2: second/);
  await ana.press('2');
  await ana.isNotCalled();
  const [heard] = await rows(site);
  assert.deepEqual([heard?.status, heard?.isAcknowledged], [5, true]);
  await site.expectWhatRings();
});

testOnAnyStore('an alarm that joins after the proof gets a call and a history row of its own', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const first = await site.alarms.raise(group, { path: 'First', alarmMessage: 'first' });
  await ana.isCalled(/^first$/);
  await ana.answers('1');
  const second = await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second' });
  await site.settle();
  await ana.press('1');
  await ana.isCalled(/^second$/);
  assert.deepEqual([(await site.alarms.get(first)).ackUser, (await site.alarms.get(second)).ackUser], ['ana', '']);
  assert.deepEqual(await rows(site), [
    { status: 5, isAcknowledged: true, alarmId: first },
    { status: 1, isAcknowledged: false, alarmId: second },
  ]);
  await ana.takes();
});

testOnAnyStore('a message to a pager is acknowledged on delivery', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { ackAutoDefault: 1 })] });
  const body = { userIds: [ana.id], msgText: 'come in' };
  assert.equal(await site.ask<boolean>('POST', '/call/users?wait=30', body), true);
  await site.settle();
});
