// TOCSIN_CALL_END_ON_RETURN lists the priorities whose calls end when the alarm is back to normal.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('calls of a listed priority end at the return to normal, calls of another continue', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_END_ON_RETURN: '2' } });
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const pumps = await story.group('Pumps', [await story.team('Night', [ana])]);
  const fire = await story.group('Fire', [await story.team('Brigade', [bo])]);
  await story.raise(pumps, { priority: 2 });
  await story.raise(fire, { path: 'Plant/Fire', priority: 1 });
  await ana.isCalled();
  await bo.isCalled();
  await story.returnsToNormal();
  await story.returnsToNormal('Plant/Fire');
  await ana.isNotCalled();
  await bo.isCalled();
  await story.advance('20s');
  await ana.isNotCalled();
  const [row] = await story.histories(`&userId=${ana.id}`);
  assert.equal(row?.status, 0);
});
