// The answer "call me later" repeats the call to the same person after five minutes; for priority 1 others are called meanwhile.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('"call me later" calls the same person again after exactly five minutes', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  assert.equal((await ana.answers('1', '6')).at(-1), 'You will be called again in five minutes.');
  await site.advance('299s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Pump1/);
  assert.equal((await site.callHistories()).at(-1)?.detail, 'asked to be called later');
  await ana.takes();
  await site.advance('1h');
  await ana.isNotCalled();
});

testOnAnyStore(
  '"call me later" for priority 1 calls the next level at once, and the same person again',
  async (t, kind) => {
    const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '1800' } });
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
    await site.alarms.raise(group);
    await ana.isCalled();
    await ana.answers('1', '6');
    await bo.isCalled(/Pump1/);
    await bo.hears();
    await site.admin.isCalled(/^Nobody has taken this: /);
    await site.admin.declines();
    await site.advance('299s');
    await ana.isNotCalled();
    await site.advance('1s');
    await ana.isCalled(/Pump1/);
    assert.equal((await site.callHistories(`&userId=${ana.id}`)).at(-1)?.detail, 'asked to be called later');
    await ana.takes();
  },
);

testOnAnyStore('asking for later a third time counts as heard', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  for (const said of ['You will be called again in five minutes.', 'You will be called again in five minutes.']) {
    await ana.isCalled();
    assert.equal((await ana.answers('1', '6')).at(-1), said);
    await site.advance('300s');
  }
  await ana.isCalled();
  assert.match((await ana.answers('1', '6')).at(-1) ?? '', /^You will not be called again for it\./);
  await site.advance('1h');
  await ana.isNotCalled();
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
  await site.expectWhatRings();
});
