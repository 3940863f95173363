// If nobody is on call and there is no relief, the call waits for the next shift, and the last resort is called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('the administrators are called at once, the team when its shift begins', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const team = await site.team('Night', [ana]);
  const scheduleId = await site.schedule(team, '12:05', '24:00');
  const group = await site.group('Pumps', [team], { scheduleId });
  const alarm = await site.alarms.raise(group);
  await ana.isNotCalled();
  assert.deepEqual(await site.systemAlarms(), [`system/nobody-on-call/${group}`]);
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.admin.hears();
  await site.advance('299s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Pump1/);
  assert.ok(!(await site.activeSystemAlarms()).includes(`system/nobody-on-call/${group}`), 'somebody is on call');
  await ana.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
});

testOnAnyStore('a call that waits for a duty starts at the change that gives it one', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { onDuty: false });
  const group = await site.group('Pumps', [await site.team('Night', [], [ana])]);
  await site.alarms.raise(group);
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.admin.declines();
  const { id, lastChange, numbers, ...fields } = await site.ask('GET', `/users/${ana.id}`);
  await site.advance('10s');
  await site.ask('PUT', `/users/${ana.id}`, { ...fields, numbers, onDuty: true });
  // The clock stands still: nothing but the change can have woken the call.
  await ana.isCalled(/Pump1/);
});
