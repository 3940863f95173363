// Flag 2 of a call action: the group may see and acknowledge the alarm, but is not called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('an action with flag 2 calls neither its group nor the last resort', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const heads = await site.group('Heads', [await site.team('Heads', [bo])]);
  const sees = { type: 'CallGroup', id: heads, flags: 2 };
  await site.alarms.raise(pumps, { alarmActions: [{ type: 'CallGroup', id: pumps }, sees] });
  await ana.isCalled();
  await bo.isNotCalled();
  await ana.takes();
  await site.alarms.raise(heads, { path: 'Seen only', alarmActions: [sees] });
  await site.advance('10m');
  await bo.isNotCalled();
  await site.admin.isNotCalled();
  assert.equal((await site.callHistories()).length, 1);
});

testOnAnyStore('the last resort is called if the only existing group has flag 2 (not called)', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const looksOn = { type: 'CallGroup', id: group, flags: 2 };
  await site.alarms.raise(group, { alarmActions: [{ ...looksOn, id: 99 }] });
  await site.admin.isNotCalled();
  await site.alarms.raise(group, { path: 'Second', alarmActions: [{ type: 'CallGroup', id: 99 }, looksOn] });
  await site.admin.isCalled(/Pump1/);
  await ana.isNotCalled();
});
