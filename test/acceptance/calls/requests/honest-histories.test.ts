// The call history says what happened and when: ringing, picked up, acknowledged, ended, with which outcome and by whom.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const clockOf = (row: Row | undefined, name: string): string => String(row?.[name]).slice(11, 19);

testOnAnyStore('times are when it happened: picked up is not the end of the call', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  site.app.clock.advance(5_000);
  await ana.answers('1');
  site.app.clock.advance(7_000);
  const [open] = (await site.list('/call/histories')).items;
  assert.deepEqual([clockOf(open, 'answerTime'), open?.endTime, open?.outcome], ['13:00:05', undefined, undefined]);
  await ana.press('1');
  const [row] = await site.callHistories();
  assert.deepEqual(
    ['ringTime', 'answerTime', 'ackTime', 'endTime'].map((name) => clockOf(row, name)),
    ['13:00:00', '13:00:05', '13:00:12', '13:00:12'],
  );
  assert.deepEqual([row?.outcome, row?.endedBy], ['answered', `user:${ana.id}`]);
});

testOnAnyStore('a decline is a decline; no answer, busy and a rejected call have codes', async (t, kind) => {
  const site = await startSite(t, kind);
  const once = (address: string) => ({ numbers: [voice(address, { countTry: 1 })] });
  const [ana, bo, cy] = [
    await site.person('ana', once('+331')),
    await site.person('bo', once('+332')),
    await site.person('cy', once('+333')),
  ];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo, cy])]);
  await site.alarms.raise(group, { priority: 3 });
  for (const person of [ana, bo, cy]) await person.isCalled();
  await ana.declines();
  await bo.hangsUp();
  await site.advance('30s');
  const rows = (await site.callHistories()).filter(({ userId }) => userId !== 1);
  assert.deepEqual(
    rows.map(({ user, outcome, endedBy, answerTime }) => [user, outcome, endedBy, answerTime !== undefined]),
    [
      ['ana', 'declined', `user:${ana.id}`, true],
      ['bo', 'declined', 'channel', false],
      ['cy', 'noAnswer', 'channel', false],
    ],
  );
  await site.expectWhatRings();
});

testOnAnyStore('a phone stopped by an acknowledgement says whose', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isCalled();
  await ana.takes();
  const row = (await site.callHistories()).find(({ user }) => user === 'bo');
  assert.deepEqual([row?.outcome, row?.endedBy], ['cancelled', `user:${ana.id}`]);
  assert.equal(row?.detail, 'taken by ana');
});

testOnAnyStore('every alarm of a bundle has its ackTime, also if the person hangs up in between', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const alarmActions = [{ type: 'CallUser', id: ana.id }];
  const batch = ['A', 'B', 'C'].map((path) => ({ path, alarmMessage: path, priority: 1, alarmActions }));
  const [first = 0, second = 0] = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
  await ana.isCalled();
  await ana.answers('1', '1');
  site.app.clock.advance(4_000);
  await ana.press('2');
  await ana.hangsUp();
  const [row] = await site.callHistories(`&alarmId=${first}`);
  const acknowledged = ((row?.acknowledged ?? []) as readonly Row[]).map((one) => [
    one.alarmId,
    clockOf(one, 'ackTime'),
  ]);
  assert.deepEqual(acknowledged, [
    [first, '13:00:00'],
    [second, '13:00:04'],
  ]);
  assert.equal(clockOf(row, 'ackTime'), '13:00:00');
  await site.expectWhatRings();
});

testOnAnyStore('a text that was delivered is not answered before it is replied to', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001')] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  const { code } = await ana.hasText(/./);
  const [sent] = await site.callHistories();
  assert.deepEqual([sent?.answerTime, sent?.outcome], [undefined, undefined]);
  await ana.texts(code);
  const [replied] = await site.callHistories();
  assert.deepEqual([replied?.outcome, replied?.ackTime !== undefined], ['answered', true]);
});
