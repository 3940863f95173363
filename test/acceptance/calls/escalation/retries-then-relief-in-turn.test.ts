// A number is tried five times, then a relief group in turn mode is called one by one, then the next round begins.

import assert from 'node:assert/strict';
import { type Story, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

const once = (story: Story, name: string) => story.person(name, { numbers: [voice(`+33 ${name}`, { countTry: 1 })] });

testOnStores('five tries, then the relief group one by one, then the next round', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 5, timeToRetry: 30 })] });
  const [bo, cy] = [await once(story, 'bo'), await once(story, 'cy')];
  const others = await story.group('Others', [await story.team('List', [bo, cy])], { callMode: 'turn' });
  const group = await story.group('Pumps', [await story.team('Night', [ana])], { reliefGroupId: others });
  await story.raise(group);
  for (let attempt = 1; attempt <= 5; attempt++) {
    await ana.isCalled(/Pump1/);
    await bo.isNotCalled();
    await story.advance('30s');
    if (attempt < 5) await story.advance('30s');
  }
  await ana.isNotCalled();
  await bo.isCalled(/Pump1/);
  await cy.isNotCalled();
  await story.advance('30s');
  await bo.isNotCalled();
  await cy.isCalled(/Pump1/);
  await story.advance('30s');
  await cy.isNotCalled();
  await story.admin.isCalled(/Call group "Pumps" was called in vain, round 1/);
  await story.admin.takes();
  await story.advance('299s');
  await ana.isNotCalled();
  await story.advance('1s');
  await ana.isCalled(/Pump1/);
  await ana.takes();
  assert.deepEqual(await story.systemAlarms(), []);
});
