// An active alarm is sent again with other actions: those it newly names are called, unless it has returned to normal.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores(
  'whom an active alarm is told to call is called at once, and the auditor has nothing to say',
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

testOnStores('a report of return to normal calls nobody, whatever actions it names', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { alarmActions: [] });
  await site.alarms.raise(group, { raised: false });
  await ana.isNotCalled();
  await site.alarms.raise(group);
  await ana.isCalled();
});
