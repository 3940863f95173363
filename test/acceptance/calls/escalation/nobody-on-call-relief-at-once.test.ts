// If nobody of a group is on call, its relief group is called at once.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores(
  'a group without people on duty passes the call to its relief group at once, without a system alarm',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const [ana, bo] = [await story.person('ana', { onDuty: false }), await story.person('bo')];
    const relief = await story.group('Relief', [await story.team('Day', [bo])]);
    const middle = await story.group('Nobody', [], { reliefGroupId: relief });
    const group = await story.group('Pumps', [await story.team('Night', [ana])], { reliefGroupId: middle });
    await story.raise(group);
    await bo.isCalled(/Pump1/);
    await ana.isNotCalled();
    await story.admin.isNotCalled();
    assert.deepEqual(await story.systemAlarms(), []);
  },
);
