// Priorities 1 and 2 are called for in rounds until somebody acknowledges; other priorities for one round.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('priority 3 ends after one round, priority 2 begins a round after each pause', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '60' } });
  const once = (address: string) => ({ numbers: [voice(address, { countTry: 1 })] });
  const ana = await story.person('ana', once('+33100000001'));
  const bo = await story.person('bo', once('+33100000002'));
  const small = await story.group('Small', [await story.team('Small', [ana])]);
  const great = await story.group('Great', [await story.team('Great', [bo])]);
  await story.raise(small, { path: 'Small', priority: 3 });
  const alarm = await story.raise(great, { path: 'Great', priority: 2 });
  await ana.isCalled();
  await bo.isCalled();
  for (let round = 1; round <= 3; round++) {
    await story.advance('30s');
    await ana.isNotCalled();
    await bo.isNotCalled();
    await story.expectWhatRings();
    await story.advance('60s');
    await ana.isNotCalled();
    await bo.isCalled(/Pump1/);
  }
  await bo.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'bo');
  await story.expectWhatRings();
});
