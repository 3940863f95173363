// If nobody of a group is on call, its relief group is called at once.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'a group without people on duty passes the call to its relief group at once, without a system alarm',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana', { onDuty: false }), await site.person('bo')];
    const relief = await site.group('Relief', [await site.team('Day', [bo])]);
    const middle = await site.group('Nobody', [], { reliefGroupId: relief });
    const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId: middle });
    await site.alarms.raise(group);
    await bo.isCalled(/Pump1/);
    await ana.isNotCalled();
    await site.admin.isNotCalled();
    assert.deepEqual(await site.systemAlarms(), []);
  },
);
