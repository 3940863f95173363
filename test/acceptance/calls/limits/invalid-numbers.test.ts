// Numbers that are invalid or not verified are skipped.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('only the usable number is called; a person without one fails visibly', async (t, kind) => {
  const site = await startSite(t, kind);
  const bad = [voice('+33100000001', { valid: false }), voice('+33100000002', { verified: false })];
  const ana = await site.person('ana', { numbers: [...bad, voice('+33100000003')] });
  const bo = await site.person('bo', { numbers: bad });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000003');
  await bo.isNotCalled();
  const [row] = await site.callHistories(`&userId=${bo.id}`);
  const why = 'no number can be used now: number +33100000002 is not verified';
  assert.deepEqual([row?.attempt, row?.status, row?.detail], [0, 4, why]);
  assert.equal((await site.callHistories()).length, 2);
});
