// A call answered without a key press is no acknowledgement: it is repeated `countAck` times, then the next number is
// called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a call answered without a key is repeated twice, then the next number is called', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000001', { countAck: 2, timeToAck: 60 }), voice('+33600000001')];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  for (let time = 1; time <= 3; time++) {
    assert.equal((await ana.isCalled(/Pump1/)).address, '+33100000001');
    await ana.answers();
    await ana.hangsUp();
    await ana.isNotCalled();
    assert.equal((await site.callHistories()).at(-1)?.status, 3);
    await site.advance('60s');
  }
  assert.equal((await ana.isCalled(/Pump1/)).address, '+33600000001');
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
});
