// If the last resort is not reached, a system alarm says so without calling anybody about itself.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('an unreached last resort is called in every round, but not about itself', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  await site.advance('30s');
  await site.admin.isCalled();
  await site.advance('2m');
  const paths = [`system/nobody-took-it/group/${group}`, 'system/nobody-took-it/last-resort'];
  assert.deepEqual((await site.systemAlarms()).toSorted(), paths);
  await site.admin.isNotCalled();
  // The last resort has rounds and pauses of its own: five minutes after its two tries.
  await site.advance('299s');
  await site.admin.isNotCalled();
  await site.advance('1s');
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  const about = new Set((await site.callHistories('&userId=1')).map(({ alarmId }) => alarmId));
  assert.deepEqual([...about], [alarm]);
  await site.expectWhatRings();
});

testOnAnyStore('an alarm sent to the path of a system alarm leaves calling healthy', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'system/nobody-took-it/last-resort', alarmMessage: 'a lie' });
  assert.equal((await site.app.request('GET', '/health/calling')).status, 200);
});
