// A person with a PIN hears the alarm after the right PIN; three wrong PINs lock the number for fifteen minutes.

import assert from 'node:assert/strict';
import { systemCaller } from '../../../../src/domain/access/access.ts';
import type { CallMessage } from '../../../../src/domain/calls/delivery.ts';
import { commandAlarm } from '../../../../src/operations/alarms/operator-commands.ts';
import {
  answerConversation,
  beginConversation,
  endConversation,
  passSilence,
  pressInConversation,
} from '../../../../src/operations/conversations/converse.ts';
import { openForCall } from '../../../../src/operations/conversations/open-for-call.ts';
import { pressKeys } from '../../../../src/operations/simulator/phones.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('the alarm is read only after the right PIN', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321' });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  const said = await ana.answers('1', '99#', '4321#', '1');
  assert.deepEqual(said.slice(1, 3), ['Enter your PIN and end with the hash key.', 'That PIN is wrong. Try again.']);
  assert.match(said[3] ?? '', /^Pump1 is too hot/);
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
});

testOnAnyStore('three wrong PINs call the next number at once and lock this one for 15 minutes', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '435' } });
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+33600000001', { countTry: 1 })];
  const ana = await site.person('ana', { pin: '4321', numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  const rings = async () => (await ana.isCalled()).address;
  assert.equal(await rings(), '+33100000001');
  const said = await ana.answers('1', '1#', '2#', '3#');
  assert.equal(said.at(-1), 'That PIN is wrong. Goodbye.');
  assert.ok(said.every((words) => !words.includes('Pump1')));
  assert.equal(await rings(), '+33600000001');
  await site.advance('30s');
  await site.admin.isCalled();
  await site.admin.hears();
  // The next round is within the fifteen minutes, the one after it is not.
  await site.advance('435s');
  assert.equal(await rings(), '+33600000001');
  await site.admin.isCalled();
  await site.admin.hears();
  await site.advance('30s');
  await site.advance('870s');
  assert.equal(await rings(), '+33100000001');
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
});

testOnStores('hanging up after two wrong PINs does not give the tries back', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000001', { countTry: 3, timeToRetry: 60, countAck: 3, timeToAck: 60 })];
  const ana = await site.person('ana', { pin: '4321', numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1', '1#', '2#');
  await ana.hangsUp();
  await site.advance('60s');
  await ana.isCalled();
  const said = await ana.answers('1', '3#');
  assert.equal(said.at(-1), 'That PIN is wrong. Goodbye.');
  const { items } = await site.list(`/call/histories?alarmId=${alarm}`);
  assert.ok(items.some(({ outcome }) => outcome === 'locked'));
  await site.expectWhatRings();
});

testOnAnyStore('the right PIN forgets the wrong ones of the calls before', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321', numbers: [voice('+33100000001')] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  for (const path of ['Pump1', 'Pump2']) {
    await site.alarms.raise(group, { priority: 3, path });
    await ana.isCalled();
    await ana.answers('1', '1#', '2#', '4321#', '1');
    await site.advance('60s');
  }
  await site.expectWhatRings();
});

testOnAnyStore("three wrong PINs lock one person's simulated phone and nobody else's", async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [], pin: '4321' });
  const bo = await site.person('bo', { numbers: [] });
  await site.alarms.raise(await site.group('A', [await site.team('A', [ana])]), { priority: 3 });
  await ana.isCalled();
  await ana.answers('1', '1#', '2#', '3#');
  await site.alarms.raise(await site.group('B', [await site.team('B', [ana, bo])]), { path: 'Fan', priority: 3 });
  await bo.isCalled(/Pump1 is too hot/);
  await ana.isNotCalled();
  await site.expectWhatRings();
});

testOnAnyStore('the PIN can be typed in one go; a late key press hears that the alarm was taken', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321' });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await ana.isCalled();
  await site.ask('POST', `/simulator/phones/${ana.id}/answer`);
  assert.match(await ana.press('14321#'), /Pump1 is too hot/);
  // Her key reaches the store after the acknowledgement and before her phone is told of it.
  const { store } = site.app;
  const command = { kind: 'acknowledge', by: 'admin', comment: '' } as const;
  const by = { name: 'admin', userId: 1 };
  const acknowledged = store.write(commandAlarm, { caller: systemCaller, id: alarm, command, by });
  const pressed = store.write(pressKeys, { userId: ana.id, keys: '1', checkedPin: undefined });
  await acknowledged;
  assert.match((await pressed).text, /admin has taken it/);
  await site.settle();
});

testOnAnyStore('readiness says of a person whose number is locked by wrong PINs that it is locked', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321', numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1', '1#', '2#', '3#');
  const { items } = await site.list('/oncall/readiness');
  const said = [{ userId: ana.id, user: 'ana', cause: 'locked' }];
  assert.deepEqual([items[0]?.reachable, items[0]?.unreachable], [false, said]);
  await site.alarms.acknowledge(alarm);
  site.app.clock.advance(15 * 60_000);
  assert.deepEqual((await site.list('/oncall/readiness')).items, []);
  await site.expectWhatRings();
});

testOnAnyStore('who presses the first key and then enters no PIN was a person all the same', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321' });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await ana.isCalled();
  const [row] = (await site.list('/call/histories')).items;
  const attemptId = Number(row?.id);
  const { store } = site.app;
  const message = { attemptId, userId: ana.id, firstName: 'ana', language: 'en', texts: [], items: [], stations: [] };
  await store.write(beginConversation, { message: message as Partial<CallMessage> as CallMessage });
  const open = await openForCall(store, { attemptId, now: site.app.clock.now() });
  await store.write(answerConversation, { attemptId, open });
  await store.write(pressInConversation, { attemptId, keys: '1', checkedPin: undefined });
  for (let silence = 0; silence < 3; silence++) await store.write(passSilence, { attemptId });
  const end = await store.write(endConversation, { attemptId });
  assert.deepEqual(end, { isHuman: true, hasHeard: false, isLockedOut: false });
});
