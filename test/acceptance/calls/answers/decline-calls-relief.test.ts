// Declining a call calls the relief at once.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a person who declines is not called again, and the relief is called at once', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const group = await story.group('Pumps', [await story.team('Night', [ana], [bo])]);
  const alarm = await story.raise(group);
  await ana.isCalled();
  assert.equal((await ana.declines()).at(-1), 'Declined. The next one is called now.');
  await ana.isNotCalled();
  await bo.isCalled(/Pump1/);
  await bo.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'bo');
});
