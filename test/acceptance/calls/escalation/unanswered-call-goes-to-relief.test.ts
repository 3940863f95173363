// An unanswered call is retried on the same number, then goes to the relief.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('an unanswered call goes to the relief after the last try', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
  const bo = await story.person('bo');
  const group = await story.group('Pumps', [await story.team('Night', [ana], [bo])]);
  const alarm = await story.raise(group);
  await ana.isCalled(/Pump1 is too hot/);
  await bo.isNotCalled();
  await story.advance('31s');
  await ana.isNotCalled();
  await story.advance('60s');
  await ana.isCalled(/Pump1/);
  await story.advance('31s');
  await bo.isCalled(/Pump1/);
  await bo.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'bo');
  await story.advance('1h');
  await ana.isNotCalled();
  await bo.isNotCalled();
});
