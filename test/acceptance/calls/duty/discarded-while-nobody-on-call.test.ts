// A call group with `discardWhenNobodyOnCall` drops causes that come while nobody is on call.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('the cause is discarded, and the last resort is called about it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const team = await site.team('Day', [ana]);
  const scheduleId = await site.schedule(team, '12:05', '24:00');
  const group = await site.group('Pumps', [team], { scheduleId, discardWhenNobodyOnCall: true });
  await site.alarms.raise(group);
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.admin.hears();
  await site.advance('1h');
  await ana.isNotCalled();
  const called = new Set((await site.callHistories()).map(({ user }) => user));
  assert.deepEqual([...called], ['admin'], 'nobody but the last resort, round after round');
  await site.expectWhatRings();
});
