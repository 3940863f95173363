// A mask ends the calls of its alarm, and the end of the mask begins them again.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('masking ends the calls of an active alarm; the end of the mask begins them again', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(group);
  await ana.isCalled();
  await story.ask('POST', `/alarms/${alarm}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'works' });
  await ana.isNotCalled();
  await story.advance('10m');
  await story.raise(group);
  await ana.isNotCalled();
  await story.ask('POST', `/alarms/${alarm}/unmask`);
  await ana.isCalled(/Pump1/);
  await story.ask('POST', `/alarms/${alarm}/mask`, { until: '2026-11-15T12:20:00Z', reason: 'works' });
  await ana.isNotCalled();
  await story.advance('599s');
  await ana.isNotCalled();
  await story.advance('1s');
  await ana.isCalled(/Pump1/);
  assert.deepEqual(await story.systemAlarms(), []);
});
