// An alarm that comes while somebody speaks: nobody takes, or has heard, what they were not told of.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('who takes the first alarm is called at once for the second', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const first = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1');
  const second = await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await site.settle();
  assert.equal(await ana.press('1'), 'You have taken it. Thank you.');
  await ana.isCalled(/^second$/);
  assert.deepEqual([(await site.alarms.get(first)).ackUser, (await site.alarms.get(second)).ackUser], ['ana', '']);
  await ana.hears();
  await ana.isNotCalled();
  assert.equal((await site.alarms.get(second)).ackUser, '');
});

testOnStores('who has heard the first alarm is called at once and told of both', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1');
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await site.settle();
  assert.equal(await ana.press('2'), 'Heard. Others are still being called.');
  await ana.isCalled(/^1 of 2: Pump1 is too hot\n2 of 2: second$/);
});
