// The clocks of two nodes differ by some milliseconds: the times of an alarm's timeline do not run backwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshStore, startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { siteOn, startSite } from '../../harness/site/site.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';

test('postgres: what a node with a clock behind does has no earlier time than what was done before', {
  skip: storesUnderTest().includes('postgres') ? false : 'two nodes share a PostgreSQL database',
}, async (t) => {
  const one = await startSite(t, 'postgres');
  const { TOCSIN_DATA_DIR = '' } = await freshStore(t, 'sqlite');
  const behind = fakeClock(one.app.clock.now() - 20);
  const two = await siteOn(t, await startOn(t, { ...one.app.environment, TOCSIN_DATA_DIR }, behind));
  const id = await one.alarms.send({ path: 'pump', alarmMessage: 'hot' });
  await two.alarms.send({ path: 'pump', raised: false });
  await two.alarms.acknowledge(id);
  const timeline = await one.ask<readonly { event: string; time: string }[]>('GET', `/alarms/${id}/timeline`);
  assert.deepEqual(
    timeline.map(({ event }) => event),
    ['raised', 'returned', 'acknowledged'],
  );
  const times = timeline.map(({ time }) => Date.parse(time));
  assert.deepEqual(times, times.toSorted());
});
