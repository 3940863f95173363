// The answer "heard" ends the attempts to that person in this round; everybody else is still called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('after "heard" only the other person is called, until the next round', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000002', { countTry: 2, timeToRetry: 60 })];
  const [ana, bo] = [await site.person('ana'), await site.person('bo', { numbers })];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  assert.equal((await ana.hears()).at(-1), 'Heard. Others are still being called.');
  await bo.isCalled();
  await site.advance('90s');
  await bo.isCalled();
  await ana.isNotCalled();
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
  await site.advance('30s');
  await bo.isNotCalled();
  assert.deepEqual(await site.systemAlarms(), [`system/nobody-took-it/group/${group}`]);
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.admin.hears();
  // "Heard" does not acknowledge the alarm, so the next round calls both again.
  await site.advance('300s');
  await ana.isCalled();
  await bo.isCalled();
  await bo.takes();
  await ana.isNotCalled();
});
