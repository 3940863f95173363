// A number with a schedule is only used during its hours.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('each of two numbers is called only during the hours of its schedule', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.team('Hours', []);
  const [early, late] = [await site.schedule(team, '00:00', '12:02'), await site.schedule(team, '12:02', '24:00')];
  const numbers = [
    voice('+33100000001', { scheduleId: early, countTry: 1 }),
    voice('+33600000001', { scheduleId: late, countTry: 1 }),
  ];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const first = await site.alarms.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000001');
  await site.alarms.acknowledge(first);
  await site.advance('2m');
  await site.alarms.raise(group, { path: 'Second' });
  assert.equal((await ana.isCalled()).address, '+33600000001');
  await ana.takes();
});
