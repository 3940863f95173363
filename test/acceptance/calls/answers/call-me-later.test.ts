// The answer "call me later" repeats the call to the same person after five minutes.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('"call me later" calls the same person again after exactly five minutes', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group);
  await ana.isCalled();
  assert.equal((await ana.answers('1', '6')).at(-1), 'You will be called again in five minutes.');
  await story.advance('299s');
  await ana.isNotCalled();
  await story.advance('1s');
  await ana.isCalled(/Pump1/);
  assert.equal((await story.histories()).at(-1)?.detail, 'called later, as asked');
  await ana.takes();
  await story.advance('1h');
  await ana.isNotCalled();
});
