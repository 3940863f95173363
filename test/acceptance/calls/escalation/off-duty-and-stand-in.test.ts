// A person off duty is skipped; a replaced person's stand-in is called.

import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores("a person off duty is skipped, and a replaced person's stand-in is called", async (t, kind) => {
  const story = await startStory(t, kind);
  const [bo, cy] = [await story.person('bo'), await story.person('cy')];
  const ana = await story.person('ana', { replacedById: bo.id });
  const off = await story.person('dan', { onDuty: false });
  const group = await story.group('Pumps', [await story.team('Night', [ana, off, cy])]);
  await story.raise(group);
  await bo.isCalled(/Pump1/);
  await cy.isCalled(/Pump1/);
  await ana.isNotCalled();
  await off.isNotCalled();
  await bo.takes();
  await cy.isNotCalled();
});
