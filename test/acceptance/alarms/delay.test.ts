// The delay of an alarm: the condition must hold for that long before the alarm is raised, also over repeats and
// restarts.

import assert from 'node:assert/strict';
import type { PollingLoop } from '../../../src/dispatch/polling-loop.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const raised = (site: Site, id: number) =>
  until(
    () => site.alarms.get(id),
    ({ state }) => state !== 0,
  );

const slow = { path: 'Tank', alarmMessage: 'Tank is low', alarmDelay: 60 };
/** A second alarm with a short delay: once it is raised, the server has processed everything due by then. */
const witness = { path: 'Witness', alarmDelay: 1 };

testOnAnyStore(
  'an alarm with a delay is raised when the condition has held that long, not a millisecond earlier',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(slow);
    assert.deepEqual([(await site.alarms.get(id)).state, (await site.alarms.list()).paging.total], [0, 0]);
    const seen = await site.alarms.send(witness);
    site.app.clock.advance(59_999);
    await raised(site, seen);
    assert.equal((await site.alarms.get(id)).state, 0, 'one millisecond early');
    site.app.clock.advance(1);
    const now = await raised(site, id);
    assert.deepEqual([now.state, now.alarmTime], [3, '2026-11-15T13:01:00.000+01:00']);
    const entries = (await site.alarms.histories('?search=tank')).items;
    assert.deepEqual(
      entries.map(({ alarmTime }) => alarmTime),
      ['2026-11-15T13:01:00.000+01:00'],
    );
  },
);

testOnAnyStore('a condition that ends early raises nothing, and the next waits the whole delay', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(slow);
  site.app.clock.advance(59_000);
  await site.alarms.send({ path: 'Tank', raised: false });
  site.app.clock.advance(59_000);
  await site.alarms.send({ path: 'Tank' });
  const seen = await site.alarms.send(witness);
  site.app.clock.advance(59_000);
  await raised(site, seen);
  assert.deepEqual(
    [(await site.alarms.get(id)).state, (await site.alarms.histories('?search=tank')).paging.total],
    [0, 0],
  );
  site.app.clock.advance(1_000);
  assert.equal((await raised(site, id)).alarmTime, '2026-11-15T13:02:58.000+01:00');
});

testOnAnyStore(
  'a delay that has run out raises the alarm, also when the report that follows sets a longer delay',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.alarms.send({ ...slow, raised: false });
    site.app.clock.advance(1_000);
    await site.alarms.send({ path: 'Tank', raised: true });
    // In one step, so that the report arrives before the timer fires.
    site.app.clock.advance(60_000);
    await site.alarms.send({ path: 'Tank', raised: false, alarmDelay: 3_600 });
    const [entry] = (await site.alarms.histories()).items;
    assert.equal(entry?.alarmDuration, '00:00:00');
  },
);

testOnAnyStore('a repeat does not restart the delay', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(slow);
  for (let repeat = 0; repeat < 3; repeat++) {
    site.app.clock.advance(19_000);
    await site.alarms.send({ ...slow, value: String(repeat) });
  }
  assert.deepEqual([(await site.alarms.get(id)).state, (await site.alarms.get(id)).value], [0, '2']);
  site.app.clock.advance(3_000);
  assert.deepEqual([(await raised(site, id)).state, (await site.alarms.get(id)).occurrences], [3, 1]);
});

testOnAnyStore('a return reported after the delay has run out still records the raise', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(slow);
  site.app.clock.advance(61_000);
  await site.alarms.send({ path: 'Tank', raised: false });
  assert.equal((await site.alarms.get(id)).state, 2, 'it held for its delay, so it was raised');
  assert.equal((await site.alarms.histories()).paging.total, 1);
});

testOnAnyStore('a delay continues over a restart of the server', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(slow);
  const late = await site.alarms.send({ path: 'Late', alarmDelay: 3_600 });
  site.app.clock.advance(30_000);
  await site.restart();
  assert.equal((await site.alarms.get(id)).state, 0);
  site.app.clock.advance(30_000);
  assert.equal((await raised(site, id)).state, 3);
  await site.app.stop();
  site.app.clock.advance(3_600_000);
  await site.restart();
  await site.signInAgain();
  assert.equal((await raised(site, late)).state, 3, 'what came due while nobody looked is raised then');
  assert.equal((await site.alarms.histories()).paging.total, 2);
});

testOnAnyStore('a delay of 136 years, the maximum, ends on its last millisecond', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ ...slow, alarmDelay: 4_294_967_295 });
  const seen = await site.alarms.send({ ...witness, alarmDelay: 4_294_967_294 });
  site.app.clock.advance(4_294_967_294_999);
  // The token has expired by then, so sign in again.
  await site.signInAgain();
  await raised(site, seen);
  assert.equal((await site.alarms.get(id)).state, 0);
  site.app.clock.advance(1);
  assert.equal((await raised(site, id)).alarmTime, '2162-12-22T19:28:15.000+01:00');
});

testOnAnyStore(
  'a report that shortens a running delay to 0 begins one occurrence, and one that also ends it none',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const eventCondition = { reactivatable: true };
    for (const path of ['Tank', 'Vat']) await site.alarms.send({ path, alarmDelay: 600, eventCondition });
    site.app.clock.advance(5_000);
    await site.alarms.send({ path: 'Tank', alarmDelay: 0 });
    await site.alarms.send({ path: 'Vat', alarmDelay: 0, raised: false });
    const entries = (await site.alarms.histories()).items.map(({ tagName, alarmTime }) => [tagName, alarmTime]);
    assert.deepEqual(entries, [['Tank', '2026-11-15T13:00:05.000+01:00']]);
  },
);

/** Ends the loop that looks for delays that have ended, so that a command comes before it. */
async function leaveDelays(site: Site): Promise<void> {
  await (site.app.polled.dueAlarms as PollingLoop).stop();
}

testOnAnyStore('a comment just after a delay has ended is on the occurrence that the delay raised', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(slow);
  await leaveDelays(site);
  site.app.clock.advance(60_000);
  await site.ask('POST', `/alarms/${id}/comments`, { comment: 'I am looking' });
  const { state, comment } = await site.alarms.get(id);
  assert.deepEqual([state, comment], [3, 'I am looking']);
  const found = (await site.alarms.histories('?search=looking tank')).items;
  assert.deepEqual(
    found.map((entry) => entry.comment),
    ['I am looking'],
  );
});

testOnAnyStore(
  'the raise by a delay that has ended is not attributed to the operator who acts just then',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(slow);
    await leaveDelays(site);
    site.app.clock.advance(60_000);
    await site.alarms.acknowledge(id);
    const events = await site.ask<{ event: string; actor: string }[]>('GET', `/alarms/${id}/timeline`);
    assert.deepEqual(
      events.slice(-2).map(({ event, actor }) => [event, actor]),
      [
        ['raised', 'system'],
        ['acknowledged', 'user:1'],
      ],
    );
  },
);

testOnAnyStore('the end of a mask is not attributed to the operator who acts just then', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'Tank', alarmMessage: 'Tank is low', raised: false });
  const until = new Date(site.app.clock.now() + 60_000).toISOString();
  await site.ask('POST', `/alarms/${id}/mask`, { until, reason: 'works' });
  await site.alarms.send({ path: 'Tank', alarmMessage: 'Tank is low' });
  await leaveDelays(site);
  site.app.clock.advance(60_000);
  await site.alarms.acknowledge(id);
  const events = await site.ask<{ event: string; actor: string }[]>('GET', `/alarms/${id}/timeline`);
  assert.deepEqual(
    events.slice(-2).map(({ event, actor }) => [event, actor]),
    [
      ['mask-expired', 'system'],
      ['acknowledged', 'user:1'],
    ],
  );
});
