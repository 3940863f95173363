// The answer "call me later" repeats the call to the same person after five minutes.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('"call me later" calls the same person again after exactly five minutes', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  assert.equal((await ana.answers('1', '6')).at(-1), 'You will be called again in five minutes.');
  await site.advance('299s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Pump1/);
  assert.equal((await site.callHistories()).at(-1)?.detail, 'called later, as asked');
  await ana.takes();
  await site.advance('1h');
  await ana.isNotCalled();
});
