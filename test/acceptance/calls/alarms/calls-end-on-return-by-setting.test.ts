// TOCSIN_CALL_END_ON_RETURN lists the priorities whose calls end when the alarm is back to normal.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('calls of a listed priority end at the return to normal, calls of another continue', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_END_ON_RETURN: '2' } });
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const fire = await site.group('Fire', [await site.team('Brigade', [bo])]);
  await site.alarms.raise(pumps, { priority: 2 });
  await site.alarms.raise(fire, { path: 'Plant/Fire', priority: 1 });
  await ana.isCalled();
  await bo.isCalled();
  await site.alarms.returnsToNormal();
  await site.alarms.returnsToNormal('Plant/Fire');
  await ana.isNotCalled();
  await bo.isCalled();
  await site.advance('20s');
  await ana.isNotCalled();
  const [row] = await site.callHistories(`&userId=${ana.id}`);
  assert.equal(row?.status, 0);
});
