// With `reliefMode: 'perUser'` each person who was not reached is replaced by one relief.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('one person who declines calls one relief; a person who answers "heard" calls none', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo, cy, di] = [
    await story.person('ana'),
    await story.person('bo'),
    await story.person('cy'),
    await story.person('di'),
  ];
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo], [cy, di])], {
    reliefMode: 'perUser',
  });
  await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isCalled();
  await cy.isNotCalled();
  await ana.declines();
  await cy.isCalled();
  await di.isNotCalled();
  await bo.hears();
  await cy.hears();
  await di.isNotCalled();
  await story.advance('1h');
  const called = (await story.histories()).map(({ user }) => user);
  assert.deepEqual(called, ['ana', 'bo', 'cy']);
});
