// Two or three values of one active alarm in quick succession are told, and then the server is at rest.

import assert from 'node:assert/strict';
import { hasDueAlarms } from '../../../src/operations/alarms/queries.ts';
import { readLogPosition } from '../../../src/store/event-log.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

testOnAnyStore(
  'three values of one active alarm within 300 ms leave nothing due and nothing written',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { store, clock } = site.app;
    const report = (value: string) =>
      site.create('/alarms', { path: 'Boiler', alarmMessage: 'hot', value, raised: true });
    const id = await report('90');
    for (const value of ['91', '92', '93']) {
      clock.advance(100);
      await report(value);
    }
    const isDue = () => store.read(hasDueAlarms, { now: clock.now() });
    clock.advance(250);
    await site.app.poll();
    await until(isDue, (due) => !due);
    const before = await store.read(readLogPosition, {});
    for (let quarter = 0; quarter < 8; quarter++) {
      clock.advance(250);
      assert.equal(await isDue(), false, `due again after ${quarter + 1} quarters of a second`);
      await site.app.poll();
    }
    assert.deepEqual(await store.read(readLogPosition, {}), before, 'nothing is written at rest');
    assert.equal((await site.alarms.get(id)).value, '93');
  },
);
