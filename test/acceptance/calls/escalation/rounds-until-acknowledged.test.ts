// Priorities 1 and 2 are called for in rounds until somebody acknowledges; other priorities for one round.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('priority 3 ends after one round, priority 2 begins a round after pauses that grow', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '60' } });
  const once = (address: string) => ({ numbers: [voice(address, { countTry: 1 })] });
  const ana = await site.person('ana', once('+33100000001'));
  const bo = await site.person('bo', once('+33100000002'));
  const small = await site.group('Small', [await site.team('Small', [ana])]);
  const great = await site.group('Great', [await site.team('Great', [bo])]);
  await site.alarms.raise(small, { path: 'Small', priority: 3 });
  const alarm = await site.alarms.raise(great, { path: 'Great', priority: 2 });
  await ana.isCalled();
  await bo.isCalled();
  for (let round = 1; round <= 3; round++) {
    await site.advance('30s');
    await ana.isNotCalled();
    await bo.isNotCalled();
    await site.expectWhatRings();
    await site.advance(`${60 * 2 ** (round - 1)}s`);
    await ana.isNotCalled();
    await bo.isCalled(/Pump1/);
  }
  await bo.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'bo');
  await site.expectWhatRings();
});
