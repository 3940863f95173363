// If nobody of a call was reached, a system alarm is raised and the last resort is called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('without a setting the administrators are the last resort', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await site.admin.isNotCalled();
  await site.advance('30s');
  assert.deepEqual(await site.systemAlarms(), [`system/nobody-took-it/group/${group}`]);
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.admin.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'admin', 'the same keys take it');
  assert.deepEqual(await site.activeSystemAlarms(), []);
});

testOnAnyStore('the group of TOCSIN_LAST_RESORT_GROUP is called instead of the administrators', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_LAST_RESORT_GROUP: '1' } });
  const [ana, bo] = [
    await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] }),
    await site.person('bo'),
  ];
  const last = await site.group('Last resort', [await site.team('Heads', [bo])]);
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  assert.equal(last, 1);
  await site.alarms.raise(group);
  await ana.isCalled();
  await site.advance('30s');
  await bo.isCalled(/^Nobody has taken this: /);
  await site.admin.isNotCalled();
});
