// A return to normal does not end calls that have begun; only an acknowledgement does.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('calls continue after the alarm is back to normal, until somebody takes it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled(/Pump1/);
  await site.alarms.returnsToNormal();
  await ana.isCalled(/Pump1/);
  await site.advance('90s');
  await ana.isCalled(/Pump1/);
  await ana.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  await site.advance('1h');
  await ana.isNotCalled();
});
