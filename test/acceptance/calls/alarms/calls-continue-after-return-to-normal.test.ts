// A return to normal does not end calls that have begun; only an acknowledgement does.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('calls continue after the alarm is back to normal, until somebody takes it', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(group);
  await ana.isCalled(/Pump1/);
  await story.returnsToNormal();
  await ana.isCalled(/Pump1/);
  await story.advance('90s');
  await ana.isCalled(/Pump1/);
  await ana.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'ana');
  await story.advance('1h');
  await ana.isNotCalled();
});
