// If the only call action of an alarm names an unknown group, the last resort is called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('an alarm whose only call group is unknown calls the administrators', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(99);
  await site.admin.isCalled(/^Pump1 is too hot$/);
  await site.admin.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'admin');
  const alarmActions = [
    { type: 'CallGroup', id: 99 },
    { type: 'CallGroup', id: group },
  ];
  await site.alarms.raise(group, { path: 'Second', alarmActions });
  await ana.isCalled();
  await site.admin.isNotCalled();
  assert.deepEqual(await site.systemAlarms(), ['system/cannot-be-used/user:1']);
});
