// Transitory, reactivatable and temporary alarms.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

testOnAnyStore('a transitory alarm returns to normal at once and still needs an acknowledgement', async (t, kind) => {
  const site = await startSite(t, kind);
  const door = { path: 'Door', alarmMessage: 'Door opened', eventCondition: { transitory: true } };
  const id = await site.alarms.send(door);
  assert.equal((await site.alarms.get(id)).state, 2);
  site.app.clock.advance(1_000);
  await site.alarms.send(door);
  assert.deepEqual(
    [(await site.alarms.get(id)).state, (await site.alarms.get(id)).occurrences],
    [2, 2],
    'each report is an occurrence',
  );
  await site.alarms.acknowledge(id);
  assert.equal((await site.alarms.get(id)).state, 0);
  assert.deepEqual(
    (await site.alarms.histories()).items.map(({ alarmDuration, reactionDuration }) => [
      alarmDuration,
      reactionDuration,
    ]),
    [
      ['00:00:00', '00:00:01'],
      ['00:00:00', '00:00:00'],
    ],
  );
});

testOnAnyStore('a repeated raise of a reactivatable alarm ends its occurrence and begins the next', async (t, kind) => {
  const site = await startSite(t, kind);
  const siren = { path: 'Siren', alarmMessage: 'Siren', eventCondition: { reactivatable: true } };
  const id = await site.alarms.send(siren);
  await site.alarms.acknowledge(id);
  site.app.clock.advance(30_000);
  await site.alarms.send(siren);
  const again = await site.alarms.get(id);
  assert.deepEqual([again.state, again.occurrences, again.ackUser], [3, 2, ''], 'to be acknowledged anew');
  assert.equal(again.alarmTime, '2026-11-15T13:00:30.000+01:00');
  site.app.clock.advance(30_000);
  await site.alarms.send({ path: 'Siren', raised: false });
  const entries = (await site.alarms.histories()).items;
  assert.deepEqual(
    entries.map(({ resetTime, ackTime }) => [resetTime, ackTime !== undefined]),
    [
      ['2026-11-15T13:00:30.000+01:00', true],
      ['2026-11-15T13:01:00.000+01:00', false],
    ],
  );
});

testOnAnyStore(
  'a temporary alarm is removed once back to normal and acknowledged, in either order; its history stays',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const visit = { path: 'Visit', alarmMessage: 'Somebody is at the gate', temporary: true };
    const first = await site.alarms.send(visit);
    await site.alarms.acknowledge(first);
    assert.equal((await site.request('GET', `/alarms/${first}`)).status, 200, 'still active');
    await site.alarms.send({ path: 'Visit', raised: false });
    assert.equal((await site.request('GET', `/alarms/${first}`)).status, 404);
    const second = await site.alarms.send(visit);
    assert.ok(second > first);
    await site.alarms.send({ path: 'Visit', raised: false });
    assert.equal((await site.request('GET', `/alarms/${second}`)).status, 200, 'nobody has seen it');
    assert.equal((await site.request('POST', `/alarms/${second}/acknowledge`)).text, 'true');
    assert.equal((await site.request('GET', `/alarms/${second}`)).status, 404);
    assert.deepEqual(
      (await site.alarms.histories()).items.map(({ tagId, tagName, ackTime, resetTime }) => [
        tagId,
        tagName,
        !!ackTime,
        !!resetTime,
      ]),
      [
        [first, 'Visit', true, true],
        [second, 'Visit', true, true],
      ],
    );
  },
);

testOnAnyStore('a temporary alarm that was never raised, or whose delay runs, is not removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const quiet = await site.alarms.send({ path: 'Quiet', temporary: true, raised: false });
  await site.alarms.send({ path: 'Quiet', raised: false });
  assert.equal((await site.request('GET', `/alarms/${quiet}`)).status, 200);
  const slow = await site.alarms.send({ path: 'Slow', temporary: true, alarmDelay: 10 });
  assert.equal((await site.request('GET', `/alarms/${slow}`)).status, 200);
  site.app.clock.advance(10_000);
  await until(
    () => site.alarms.get(slow),
    ({ state }) => state === 3,
  );
});

testOnAnyStore('a temporary transitory alarm is removed when it is acknowledged', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ alarmMessage: 'Call me', temporary: true, eventCondition: { transitory: true } });
  assert.equal((await site.alarms.get(id)).state, 2);
  await site.alarms.acknowledge(id);
  assert.equal((await site.request('GET', `/alarms/${id}`)).status, 404);
});
