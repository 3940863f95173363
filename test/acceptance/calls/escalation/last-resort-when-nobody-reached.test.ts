// If nobody of a call was reached, a system alarm is raised and the last resort is called.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('without a setting the administrators are the last resort', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await story.admin.isNotCalled();
  await story.advance('30s');
  assert.deepEqual(await story.systemAlarms(), [`system/nobody-took-it/group/${group}`]);
  await story.admin.isCalled(/Call group "Pumps" was called in vain, round 1: nobody was reached who acknowledged/);
  await story.admin.takes();
  assert.deepEqual(await story.systemAlarms(), []);
});

testOnStores('the group of TOCSIN_LAST_RESORT_GROUP is called instead of the administrators', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_LAST_RESORT_GROUP: '1' } });
  const [ana, bo] = [
    await story.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] }),
    await story.person('bo'),
  ];
  const last = await story.group('Last resort', [await story.team('Heads', [bo])]);
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  assert.equal(last, 1);
  await story.raise(group);
  await ana.isCalled();
  await story.advance('30s');
  await bo.isCalled(/Call group "Pumps" was called in vain/);
  await story.admin.isNotCalled();
});
