// Numbers that are invalid or not verified are skipped.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('only the usable number is called; a person without one fails visibly', async (t, kind) => {
  const story = await startStory(t, kind);
  const bad = [voice('+33100000001', { valid: false }), voice('+33100000002', { verified: false })];
  const ana = await story.person('ana', { numbers: [...bad, voice('+33100000003')] });
  const bo = await story.person('bo', { numbers: bad });
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  await story.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000003');
  await bo.isNotCalled();
  const [row] = await story.histories(`&userId=${bo.id}`);
  assert.deepEqual([row?.attempt, row?.status, row?.detail], [0, 4, 'no number can be used now']);
  assert.equal((await story.histories()).length, 2);
});
