// An event of an alarm stores what changed, not the texts of the alarm again; everybody reads it whole.

import assert from 'node:assert/strict';
import { readAlarmEvents } from '../../../src/operations/alarms/events.ts';
import { purgeExpired } from '../../../src/operations/system/purge.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

async function rowsOf<T extends 'events' | 'alarm_descriptions'>(site: Site, table: T) {
  const tables = await tablesOf(site.app.environment);
  const rows = await tables.all(table);
  await tables.close();
  return rows;
}

const eventsOf = async (site: Site) => (await rowsOf(site, 'events')).filter(({ kind }) => kind.startsWith('alarm.'));

/** The alarms that the hub shows, as it reads them again after a cut; PostgreSQL numbers events after their commit. */
function shown(site: Site, count: number): Promise<readonly Row[]> {
  const read = async () => {
    const { events } = await site.app.store.read(readAlarmEvents, { after: 0, limit: 1_000, stationIds: [] });
    return events.flatMap(({ data }) => (data.alarm === undefined ? [] : [data.alarm as Row]));
  };
  return until(read, ({ length }) => length >= count);
}

testOnStores('a flapping alarm with a long message stores the message once, not with every change', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarm = { path: 'Door', alarmMessage: `open ${'x'.repeat(60_000)}` };
  const id = await site.alarms.send(alarm);
  for (let n = 0; n < 100; n++) await site.alarms.send({ path: 'Door', raised: n % 2 === 1 });
  const events = await eventsOf(site);
  assert.equal(events.length, 101);
  const bytes = events.reduce((sum, { data }) => sum + String(data).length, 0) / events.length;
  assert.ok(bytes <= 80, `${bytes} bytes of data with each change`);
  assert.equal((await rowsOf(site, 'alarm_descriptions')).length, 1);
  const alarms = await shown(site, 101);
  assert.equal(alarms.length, 101);
  for (const { definition } of alarms as { definition: { alarm: Row } }[])
    assert.equal(definition.alarm.message, alarm.alarmMessage);
  const timeline = await site.ask<Row[]>('GET', `/alarms/${id}/timeline`);
  assert.deepEqual(Object.keys(timeline[0]?.data as Row).toSorted(), [
    'actions',
    'historyId',
    'isAnnounced',
    'isChanged',
    'state',
  ]);
});

testOnStores('an event shows the alarm as it was called then, until the event is purged', async (t, kind) => {
  const site = await startSite(t, kind);
  const group = await site.create('/taggroups', { name: 'Doors' });
  const id = await site.alarms.send({ path: 'Door', alarmMessage: 'open', value: '1' });
  await site.alarms.send({ path: 'Door', raised: false, alarmMessage: 'shut', tagGroupId: group, value: '0' });
  await site.ask('POST', `/alarms/${id}/acknowledge`, { comment: 'seen' });
  const texts = (await shown(site, 3)).map((one) => [
    (one.definition as { alarm: Row }).alarm.message,
    one.value,
    (one.life as Row).state,
    one.comment,
  ]);
  assert.deepEqual(texts, [
    ['open', '1', 3, ''],
    ['shut', '0', 2, ''],
    ['shut', '0', 0, 'seen'],
  ]);
  assert.deepEqual(
    (await rowsOf(site, 'alarm_descriptions'))
      .toSorted((one, other) => one.id - other.id)
      .map(({ ended_at }) => ended_at === null),
    [false, true],
  );
  const purge = { asOf: site.app.clock.now(), eventsBefore: site.app.clock.now() + 1 };
  await site.app.store.write(purgeExpired, purge);
  assert.equal((await rowsOf(site, 'alarm_descriptions')).length, 1, 'that of the alarm stays');
  await site.ask('DELETE', `/alarms/${id}`);
  await site.app.store.write(purgeExpired, { ...purge, eventsBefore: site.app.clock.now() + 1 });
  assert.equal((await rowsOf(site, 'alarm_descriptions')).length, 0);
});
