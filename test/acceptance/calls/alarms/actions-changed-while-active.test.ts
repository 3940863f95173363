// An active alarm is sent again with other actions: those it newly names are called, unless it has returned to normal.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'a call action added to an active alarm calls at once, and the auditor raises no system alarm for it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group, { alarmActions: [] });
    await ana.isNotCalled();
    await site.alarms.raise(group);
    await ana.isCalled();
    await site.advance('2m');
    assert.ok(!(await site.systemAlarms()).includes('system/auditor'));
    await site.expectWhatRings();
  },
);

testOnAnyStore('a report of the return to normal calls nobody, whatever actions it contains', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { alarmActions: [] });
  await site.alarms.raise(group, { raised: false });
  await ana.isNotCalled();
  await site.alarms.raise(group);
  await ana.isCalled();
});
