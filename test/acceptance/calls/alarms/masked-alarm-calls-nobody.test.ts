// A mask ends the calls of its alarm, and the end of the mask begins them again.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('masking ends the calls of an active alarm; the end of the mask begins them again', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  await site.ask('POST', `/alarms/${alarm}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'works' });
  await ana.isNotCalled();
  await site.advance('10m');
  await site.alarms.raise(group);
  await ana.isNotCalled();
  await site.ask('POST', `/alarms/${alarm}/unmask`);
  await ana.isCalled(/Pump1/);
  await site.ask('POST', `/alarms/${alarm}/mask`, { until: '2026-11-15T12:20:00Z', reason: 'works' });
  await ana.isNotCalled();
  await site.advance('599s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Pump1/);
  assert.deepEqual(await site.systemAlarms(), []);
});
