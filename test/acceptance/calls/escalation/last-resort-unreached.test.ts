// If the last resort is not reached, a system alarm says so without calling anybody about itself.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('an unreached last resort is called in every round, but not about itself', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await story.advance('30s');
  await story.admin.isCalled();
  await story.advance('2m');
  const paths = [`system/nobody-took-it/group/${group}`, 'system/nobody-took-it/last-resort'];
  assert.deepEqual((await story.systemAlarms()).toSorted(), paths);
  await story.admin.isNotCalled();
  await story.advance('5m');
  const ring = await story.admin.isCalled(/^Call group "Pumps" was called in vain/);
  assert.doesNotMatch(ring.text, /last resort/i);
  const about = new Set((await story.histories('&userId=1')).map(({ alarmId }) => alarmId));
  assert.equal(about.size, 1);
});
