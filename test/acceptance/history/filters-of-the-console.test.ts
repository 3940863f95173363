// The filters that screens of the console combine find the same on every database.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

const day = 86_400_000;

testOnStores('the filters that screens of the console combine are answered', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const hot = await site.alarms.raise(group);
  await site.alarms.send({ path: 'Lamp', alarmMessage: 'Lamp broken', priority: 3 });
  await ana.isCalled();
  await ana.takes();
  const time = (at: number): string => encodeURIComponent(new Date(at).toISOString());
  const [from, to] = [time(site.app.clock.now() - day), time(site.app.clock.now() + day)];
  const idsOf = async (path: string): Promise<readonly unknown[]> =>
    (await site.list(path)).items.map(({ id, alarmId }) => alarmId ?? id);
  const totalOf = async (path: string): Promise<number> => (await site.list(path)).paging.total;

  assert.deepEqual(await idsOf('/alarms?stationId=1&priority=1&search=pump'), [hot]);
  assert.equal(await totalOf('/alarms?stationId=1&priority=1&search=pump&limit=0'), 1);
  assert.deepEqual(await idsOf(`/alarms/histories?userId=${ana.id}&from=${from}&to=${to}&sort=-id`), [hot]);
  assert.deepEqual(await idsOf(`/call/histories?from=${from}&sort=-id`), [hot]);
  assert.deepEqual(await idsOf(`/call/histories?from=${from}&to=${to}&sort=-id`), [hot]);
  assert.deepEqual(await idsOf(`/call/histories?from=${from}&to=${to}&status=5&sort=-id`), [hot]);
  assert.equal(await totalOf(`/call/histories?from=${from}&to=${to}&status=5&limit=0`), 1);
  assert.equal(await totalOf(`/call/histories?from=${from}&to=${to}&status=1&limit=0`), 0);
  const interventions = (await site.list(`/alarms/interventions?from=${from}&to=${to}&priority=1`)).items;
  assert.deepEqual(
    interventions.map(({ id, interventionNumber }) => [id, interventionNumber]),
    [[ana.id, 1]],
  );
  // Tens of minutes of a period that is shorter than one, which the console asks for early in the day.
  const now = site.app.clock.now();
  const short = `from=${time(now)}&to=${time(now + 60_000)}`;
  const { items: spans } = await site.ask<{ items: readonly Row[] }>('GET', `/alarms/series?every=10m&${short}`);
  assert.deepEqual(
    spans.map(({ number }) => number),
    [2],
  );
  const journal = (await site.list(`/journal?from=${from}&kind=alarm.acknowledged`)).items;
  assert.equal(journal.length, 1);
});
