// Somebody who was called too often is held back for a while, visibly, and then gets one call for everything.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('three calls in a quarter of an hour, then one that tells of both alarms', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_CAP: '3/15' } });
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 9, timeToRetry: 30 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { priority: 2 });
  for (let time = 1; time <= 3; time++) {
    await ana.isCalled();
    await story.advance('60s');
  }
  await ana.isNotCalled();
  const held = await story.histories('&status=2');
  assert.deepEqual(
    held.map(({ attempt, detail }) => `${attempt} ${detail}`),
    ['1 no answer', '2 no answer', '3 no answer', '0 throttled until 2026-11-15T12:15:00.000Z'],
  );
  await story.raise(group, { path: 'Second', alarmMessage: 'second', priority: 2 });
  await story.advance('719s');
  await ana.isNotCalled();
  await story.advance('1s');
  await ana.isCalled(/^1 of 2: Pump1 is too hot\n2 of 2: second$/);
  await ana.takes();
  assert.deepEqual(await story.histories('&status=2'), []);
});

testOnStores('priority 1 is never held back, and takes along what was', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/15' } });
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 9, timeToRetry: 30 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { priority: 2 });
  await ana.isCalled();
  await story.advance('60s');
  await ana.isNotCalled();
  await story.raise(group, { path: 'Fire', alarmMessage: 'fire', priority: 1 });
  await ana.isCalled(/^1 of 2: fire\n2 of 2: Pump1 is too hot$/);
  await story.advance('60s');
  await ana.isCalled();
  await ana.takes();
});
