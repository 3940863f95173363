// The answer "heard" ends the attempts to that person; everybody else is still called.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('after "heard" only the other person is called, until the next round', async (t, kind) => {
  const story = await startStory(t, kind);
  const numbers = [voice('+33100000002', { countTry: 2, timeToRetry: 60 })];
  const [ana, bo] = [await story.person('ana'), await story.person('bo', { numbers })];
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  const alarm = await story.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  assert.equal((await ana.hears()).at(-1), 'Heard. Others are still being called.');
  await bo.isCalled();
  await story.advance('90s');
  await bo.isCalled();
  await ana.isNotCalled();
  assert.equal((await story.alarm(alarm)).ackUser, '');
  await story.advance('30s');
  await bo.isNotCalled();
  assert.deepEqual(await story.systemAlarms(), []);
  // "Heard" does not acknowledge the alarm, so the next round calls both again.
  await story.advance('300s');
  await ana.isCalled();
  await bo.isCalled();
  await bo.takes();
  await ana.isNotCalled();
});
