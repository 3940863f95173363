// If the only call action of an alarm names an unknown group, the last resort is called.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('an alarm whose only call group is unknown calls the administrators', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(99);
  await story.admin.isCalled(/^Pump1 is too hot$/);
  await story.admin.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'admin');
  const alarmActions = [
    { type: 'CallGroup', id: 99 },
    { type: 'CallGroup', id: group },
  ];
  await story.raise(group, { path: 'Second', alarmActions });
  await ana.isCalled();
  await story.admin.isNotCalled();
  assert.deepEqual(await story.systemAlarms(), ['system/cannot-be-done/call-group']);
});
