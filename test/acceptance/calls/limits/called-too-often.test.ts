// Somebody who was called too often is held back for a while, visibly, and then gets one call for everything.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site.ts';
import { voice } from '../../../harness/site-phones.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('three calls in a quarter of an hour, then one that tells of both alarms', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '3/15' } });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 9, timeToRetry: 30 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2 });
  for (let time = 1; time <= 3; time++) {
    await ana.isCalled();
    await site.advance('60s');
  }
  await ana.isNotCalled();
  const held = await site.callHistories('&status=2');
  assert.deepEqual(
    held.map(({ attempt, detail }) => `${attempt} ${detail}`),
    ['1 no answer', '2 no answer', '3 no answer', '0 throttled until 2026-11-15T12:15:00.000Z'],
  );
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 2 });
  await site.advance('719s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/^1 of 2: Pump1 is too hot\n2 of 2: second$/);
  await ana.takes();
  assert.deepEqual(await site.callHistories('&status=2'), []);
});

testOnStores('priority 1 is never held back, and takes along what was', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/15' } });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 9, timeToRetry: 30 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  await site.advance('60s');
  await ana.isNotCalled();
  await site.alarms.raise(group, { path: 'Fire', alarmMessage: 'fire', priority: 1 });
  await ana.isCalled(/^1 of 2: fire\n2 of 2: Pump1 is too hot$/);
  await site.advance('60s');
  await ana.isCalled();
  await ana.takes();
});
