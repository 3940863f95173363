// The call cap (TOCSIN_CALL_CAP) holds a person's calls for a while, visibly, and then sends one call for all alarms.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('after three calls in 15 minutes the next one waits and then has both alarms', async (t, kind) => {
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

testOnStores('a call of priority 1 ignores the cap and includes the held alarms', async (t, kind) => {
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
