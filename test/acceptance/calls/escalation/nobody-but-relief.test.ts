// Nobody is on call: the relief group is called at once.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores(
  'an empty group never waits: its relief group rings in the same moment, and nobody is woken for it',
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
