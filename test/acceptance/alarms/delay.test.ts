// The delay of an alarm: the condition must hold for that long before the alarm is raised, also over repeats and
// restarts.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { alarmDesk } from '../../harness/alarm-desk.ts';
import { startOn, startTestApp, type TestApp } from '../../harness/app.ts';
import type { StoreName } from '../../harness/stores.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';
import { until } from '../../harness/until.ts';

async function deskAt(app: TestApp) {
  const desk = await alarmDesk(app);
  const raised = (id: number) =>
    until(
      () => desk.alarm(id),
      ({ state }) => state !== 0,
    );
  return { ...desk, raised };
}

const desk = async (t: TestContext, kind: StoreName) => deskAt(await startTestApp(t, kind));

const slow = { path: 'Tank', alarmMessage: 'Tank is low', alarmDelay: 60 };
/** A second alarm with a short delay: once it is raised, the server has processed everything due by then. */
const witness = { path: 'Witness', alarmDelay: 1 };

testOnStores(
  'an alarm with a delay is raised when the condition has held that long, not a millisecond earlier',
  async (t, kind) => {
    const { app, send, alarm, list, raised } = await desk(t, kind);
    const id = await send(slow);
    assert.deepEqual([(await alarm(id)).state, (await list('')).paging.total], [0, 0]);
    const seen = await send(witness);
    app.clock.advance(59_999);
    await raised(seen);
    assert.equal((await alarm(id)).state, 0, 'one millisecond early');
    app.clock.advance(1);
    const now = await raised(id);
    assert.deepEqual([now.state, now.alarmTime], [3, '2026-11-15T13:01:00.000+01:00']);
    const entries = (await list('/histories?search=tank')).items;
    assert.deepEqual(
      entries.map(({ alarmTime }) => alarmTime),
      ['2026-11-15T13:01:00.000+01:00'],
    );
  },
);

testOnStores('a condition that ends early raises nothing, and the next waits the whole delay', async (t, kind) => {
  const { app, send, alarm, list, raised } = await desk(t, kind);
  const id = await send(slow);
  app.clock.advance(59_000);
  await send({ path: 'Tank', raised: false });
  app.clock.advance(59_000);
  await send({ path: 'Tank' });
  const seen = await send(witness);
  app.clock.advance(59_000);
  await raised(seen);
  assert.deepEqual([(await alarm(id)).state, (await list('/histories?search=tank')).paging.total], [0, 0]);
  app.clock.advance(1_000);
  assert.equal((await raised(id)).alarmTime, '2026-11-15T13:02:58.000+01:00');
});

testOnStores(
  'a delay that has run out raises the alarm, also when the report that follows sets a longer delay',
  async (t, kind) => {
    const { app, send, list } = await desk(t, kind);
    await send({ ...slow, raised: false });
    app.clock.advance(1_000);
    await send({ path: 'Tank', raised: true });
    // In one step, so that the report arrives before the timer fires.
    app.clock.advance(60_000);
    await send({ path: 'Tank', raised: false, alarmDelay: 3_600 });
    const [entry] = (await list('/histories')).items;
    assert.equal(entry?.alarmDuration, '00:00:00');
  },
);

testOnStores('a repeat does not restart the delay', async (t, kind) => {
  const { app, send, alarm, raised } = await desk(t, kind);
  const id = await send(slow);
  for (let repeat = 0; repeat < 3; repeat++) {
    app.clock.advance(19_000);
    await send({ ...slow, value: String(repeat) });
  }
  assert.deepEqual([(await alarm(id)).state, (await alarm(id)).value], [0, '2']);
  app.clock.advance(3_000);
  assert.deepEqual([(await raised(id)).state, (await alarm(id)).occurrences], [3, 1]);
});

testOnStores('a return reported after the delay has run out still records the raise', async (t, kind) => {
  const { app, send, alarm, list } = await desk(t, kind);
  const id = await send(slow);
  app.clock.advance(61_000);
  await send({ path: 'Tank', raised: false });
  assert.equal((await alarm(id)).state, 2, 'it held for its delay, so it was raised');
  assert.equal((await list('/histories')).paging.total, 1);
});

testOnStores('a delay continues over a restart of the server', async (t, kind) => {
  const before = await desk(t, kind);
  const id = await before.send(slow);
  const late = await before.send({ path: 'Late', alarmDelay: 3_600 });
  before.app.clock.advance(30_000);
  await before.app.stop();
  const between = await deskAt(await startOn(t, before.app.environment, before.app.clock));
  assert.equal((await between.alarm(id)).state, 0);
  between.app.clock.advance(30_000);
  assert.equal((await between.raised(id)).state, 3);
  await between.app.stop();
  between.app.clock.advance(3_600_000);
  const after = await deskAt(await startOn(t, before.app.environment, before.app.clock));
  assert.equal((await after.raised(late)).state, 3, 'what came due while nobody looked is raised then');
  assert.equal((await after.list('/histories')).paging.total, 2);
});

testOnStores('a delay of 136 years, the maximum, ends on its last millisecond', async (t, kind) => {
  const { app, send } = await desk(t, kind);
  const id = await send({ ...slow, alarmDelay: 4_294_967_295 });
  const seen = await send({ ...witness, alarmDelay: 4_294_967_294 });
  app.clock.advance(4_294_967_294_999);
  // The token has expired by then, so sign in again.
  const later = await deskAt(app);
  await later.raised(seen);
  assert.equal((await later.alarm(id)).state, 0);
  app.clock.advance(1);
  assert.equal((await later.raised(id)).alarmTime, '2162-12-22T19:28:15.000+01:00');
});

testOnStores(
  'a report that shortens a running delay to 0 begins one occurrence, and one that also ends it none',
  async (t, kind) => {
    const { app, send, list } = await desk(t, kind);
    const eventCondition = { reactivatable: true };
    for (const path of ['Tank', 'Vat']) await send({ path, alarmDelay: 600, eventCondition });
    app.clock.advance(5_000);
    await send({ path: 'Tank', alarmDelay: 0 });
    await send({ path: 'Vat', alarmDelay: 0, raised: false });
    const entries = (await list('/histories')).items.map(({ tagName, alarmTime }) => [tagName, alarmTime]);
    assert.deepEqual(entries, [['Tank', '2026-11-15T13:00:05.000+01:00']]);
  },
);
