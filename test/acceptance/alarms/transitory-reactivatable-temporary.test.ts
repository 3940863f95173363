// Transitory, reactivatable and temporary alarms.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { alarmDesk } from '../../harness/alarm-desk.ts';
import { startTestApp } from '../../harness/app.ts';
import type { StoreName } from '../../harness/stores.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const desk = async (t: TestContext, kind: StoreName) => alarmDesk(await startTestApp(t, kind));

testOnStores('a transitory alarm returns to normal at once and still needs an acknowledgement', async (t, kind) => {
  const { app, ask, send, alarm, histories } = await desk(t, kind);
  const door = { path: 'Door', alarmMessage: 'Door opened', eventCondition: { transitory: true } };
  const id = await send(door);
  assert.equal((await alarm(id)).state, 2);
  app.clock.advance(1_000);
  await send(door);
  assert.deepEqual([(await alarm(id)).state, (await alarm(id)).occurrences], [2, 2], 'each report is an occurrence');
  await ask('POST', `/${id}/acknowledge`);
  assert.equal((await alarm(id)).state, 0);
  assert.deepEqual(
    (await histories()).map(({ alarmDuration, reactionDuration }) => [alarmDuration, reactionDuration]),
    [
      ['00:00:00', '00:00:01'],
      ['00:00:00', '00:00:00'],
    ],
  );
});

testOnStores('a repeated raise of a reactivatable alarm ends its occurrence and begins the next', async (t, kind) => {
  const { app, ask, send, alarm, histories } = await desk(t, kind);
  const siren = { path: 'Siren', alarmMessage: 'Siren', eventCondition: { reactivatable: true } };
  const id = await send(siren);
  await ask('POST', `/${id}/acknowledge`);
  app.clock.advance(30_000);
  await send(siren);
  const again = await alarm(id);
  assert.deepEqual([again.state, again.occurrences, again.ackUser], [3, 2, ''], 'to be acknowledged anew');
  assert.equal(again.alarmTime, '2026-11-15T13:00:30.000+01:00');
  app.clock.advance(30_000);
  await send({ path: 'Siren', raised: false });
  const entries = await histories();
  assert.deepEqual(
    entries.map(({ resetTime, ackTime }) => [resetTime, ackTime !== undefined]),
    [
      ['2026-11-15T13:00:30.000+01:00', true],
      ['2026-11-15T13:01:00.000+01:00', false],
    ],
  );
});

testOnStores(
  'a temporary alarm is removed once back to normal and acknowledged, in either order; its history stays',
  async (t, kind) => {
    const { ask, send, histories } = await desk(t, kind);
    const visit = { path: 'Visit', alarmMessage: 'Somebody is at the gate', temporary: true };
    const first = await send(visit);
    await ask('POST', `/${first}/acknowledge`);
    assert.equal((await ask('GET', `/${first}`)).status, 200, 'still active');
    await send({ path: 'Visit', raised: false });
    assert.equal((await ask('GET', `/${first}`)).status, 404);
    const second = await send(visit);
    assert.ok(second > first);
    await send({ path: 'Visit', raised: false });
    assert.equal((await ask('GET', `/${second}`)).status, 200, 'nobody has seen it');
    assert.equal((await ask('POST', `/${second}/acknowledge`)).text, 'true');
    assert.equal((await ask('GET', `/${second}`)).status, 404);
    assert.deepEqual(
      (await histories()).map(({ tagId, tagName, ackTime, resetTime }) => [tagId, tagName, !!ackTime, !!resetTime]),
      [
        [first, 'Visit', true, true],
        [second, 'Visit', true, true],
      ],
    );
  },
);

testOnStores('a temporary alarm that was never raised, or whose delay runs, is not removed', async (t, kind) => {
  const { app, ask, send, alarm } = await desk(t, kind);
  const quiet = await send({ path: 'Quiet', temporary: true, raised: false });
  await send({ path: 'Quiet', raised: false });
  assert.equal((await ask('GET', `/${quiet}`)).status, 200);
  const slow = await send({ path: 'Slow', temporary: true, alarmDelay: 10 });
  assert.equal((await ask('GET', `/${slow}`)).status, 200);
  app.clock.advance(10_000);
  await until(
    () => alarm(slow),
    ({ state }) => state === 3,
  );
});

testOnStores('a temporary transitory alarm is removed when it is acknowledged', async (t, kind) => {
  const { ask, send, alarm } = await desk(t, kind);
  const id = await send({ alarmMessage: 'Call me', temporary: true, eventCondition: { transitory: true } });
  assert.equal((await alarm(id)).state, 2);
  await ask('POST', `/${id}/acknowledge`);
  assert.equal((await ask('GET', `/${id}`)).status, 404);
});
