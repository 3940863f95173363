// Flag 2 of a call action: the group may see and acknowledge the alarm, but is not called.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('an action with flag 2 calls neither its group nor the last resort', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const pumps = await story.group('Pumps', [await story.team('Night', [ana])]);
  const heads = await story.group('Heads', [await story.team('Heads', [bo])]);
  const sees = { type: 'CallGroup', id: heads, flags: 2 };
  await story.raise(pumps, { alarmActions: [{ type: 'CallGroup', id: pumps }, sees] });
  await ana.isCalled();
  await bo.isNotCalled();
  await ana.takes();
  await story.raise(heads, { path: 'Seen only', alarmActions: [sees] });
  await story.advance('10m');
  await bo.isNotCalled();
  await story.admin.isNotCalled();
  assert.equal((await story.histories()).length, 1);
});
