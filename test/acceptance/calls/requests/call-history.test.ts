// The call history has a row for each attempt, with the fields known so far.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnStores(
  'fields appear as they become known, filters apply, and addresses are masked without directory:read',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33123456789', { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group);
    await ana.isCalled();
    const [ringing] = await site.callHistories();
    const { id, groupCallId, ...known } = ringing ?? {};
    assert.ok(Number(id) > 0 && Number(groupCallId) > 0);
    assert.deepEqual(known, {
      cause: 'alarm',
      alarmId: alarm,
      occurrenceId: (await site.list(`/alarms/histories?alarmId=${alarm}`)).items[0]?.id,
      text: 'Pump1 is too hot',
      alarmIds: [alarm],
      priority: 1,
      callGroupId: group,
      userId: ana.id,
      user: 'ana',
      channel: 'voice',
      address: '+33123456789',
      provider: 'Simulated phones',
      attempt: 1,
      status: 1,
      startTime: '2026-11-15T13:00:00.000+01:00',
      ringTime: '2026-11-15T13:00:00.000+01:00',
      acknowledged: [],
      reason: 'the alarm was raised',
      reasonCode: 'raised',
      detail: 'the alarm was raised',
      detailCode: 'raised',
    });
    await ana.answers('1');
    await ana.hangsUp();
    const [reached] = await site.callHistories();
    assert.deepEqual([reached?.status, reached?.detail, reached?.ackTime], [3, 'answered', undefined]);
    assert.ok(reached?.answerTime && reached.endTime);
    await site.advance('1m');
    await site.ask('POST', '/call/users', { userIds: [1], msgText: 'come' });
    await site.admin.isCalled(/come/);
    const users = async (query: string) => (await site.callHistories(query)).map(({ user }) => user);
    assert.deepEqual(await users(`&alarmId=${alarm}`), ['ana']);
    assert.deepEqual(await users(`&callGroupId=${group}`), ['ana']);
    assert.deepEqual(await users('&userId=1'), ['admin']);
    assert.deepEqual(await users('&status=3'), ['ana']);
    assert.deepEqual(await users('&search=ana 33123'), ['ana']);
    assert.deepEqual(await users('&stationId=2'), []);
    assert.deepEqual(await users('&to=2026-11-15T12:01:00Z'), ['ana']);
    assert.deepEqual(await users('&from=2026-11-15T12:01:00Z'), ['admin']);
    const reader = site.as(await site.keyFor(['calls:read']));
    const { items } = await reader.list('/call/histories');
    assert.equal(items[0]?.address, '•••789');
    const found = async (search: string) =>
      (await reader.list(`/call/histories?search=${encodeURIComponent(search)}`)).items.length;
    assert.deepEqual(
      [await found('ana'), await found('33123'), await found('ana 3')],
      [1, 0, 0],
      'nor are they guessed',
    );
  },
);

testOnAnyStore('the status of an attempt: 5 acknowledged, 6 reached only, 4 failed', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = (digit: number) => [voice(`+3310000000${digit}`, { countTry: 1, countAck: 0, timeToAck: 10 })];
  const [ana, bo, cy] = [
    await site.person('ana', { numbers: numbers(1) }),
    await site.person('bo', { numbers: numbers(2) }),
    await site.person('cy', { numbers: numbers(3) }),
  ];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo, cy])]);
  await site.alarms.raise(group, { priority: 3 });
  for (const person of [ana, bo, cy]) await person.isCalled();
  await ana.hears();
  await bo.answers();
  await bo.hangsUp();
  await site.advance('30s');
  const status = (await site.callHistories()).map(({ user, status }) => `${user} ${status}`);
  assert.deepEqual(status.toSorted(), ['admin 1', 'ana 5', 'bo 6', 'cy 4']);
  await site.expectWhatRings();
});

testOnAnyStore(
  'the history of an alarm has the call that read it, although it began before the alarm',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group);
    await ana.isCalled();
    await site.advance('10s');
    const joined = await site.alarms.raise(group, { path: 'Fan', alarmMessage: 'Fan stands' });
    await ana.isCalled();
    await ana.answers('1');

    const rows = await site.callHistories(`&alarmId=${joined}`);
    assert.deepEqual(
      rows.map(({ user }) => user),
      ['ana'],
    );
    await site.expectWhatRings();
  },
);
