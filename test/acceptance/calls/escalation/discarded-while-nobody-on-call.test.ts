// A call group with `discardWhenNobodyOnCall` drops causes that come while nobody is on call.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the cause is discarded, and the last resort is called about it', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const team = await story.team('Day', [ana]);
  const scheduleId = await story.schedule(team, '12:05', '24:00');
  const group = await story.group('Pumps', [team], { scheduleId, discardWhenNobodyOnCall: true });
  await story.raise(group);
  await story.admin.isCalled(/Nobody is on call in call group "Pumps"/);
  await story.admin.takes();
  await story.advance('1h');
  await ana.isNotCalled();
  assert.deepEqual(
    (await story.histories()).map(({ user }) => user),
    ['admin'],
  );
});
