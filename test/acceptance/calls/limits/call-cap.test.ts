// The call cap (TOCSIN_CALL_CAP) holds a person's calls for a while, visibly, and then sends one call for all alarms.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('after three calls in 15 minutes the next one waits and then has both alarms', async (t, kind) => {
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

testOnAnyStore('a call of priority 1 ignores the cap and includes the held alarms', async (t, kind) => {
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
