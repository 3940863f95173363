// An unanswered call is retried on the same number, then goes to the relief.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('an unanswered call goes to the relief after the last try', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
  const bo = await site.person('bo');
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled(/Pump1 is too hot/);
  await bo.isNotCalled();
  await site.advance('31s');
  await ana.isNotCalled();
  await site.advance('60s');
  await ana.isCalled(/Pump1/);
  await site.advance('31s');
  await bo.isCalled(/Pump1/);
  await bo.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'bo');
  await site.advance('1h');
  await ana.isNotCalled();
  await bo.isNotCalled();
});
