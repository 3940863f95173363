// An acknowledgement by HTTP request ends all calls for the alarm at once.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('an acknowledgement by request stops every ringing phone and all further attempts', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo, cy] = [await story.person('ana'), await story.person('bo'), await story.person('cy')];
  const pumps = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  const heads = await story.group('Heads', [await story.team('Heads', [cy])]);
  const alarmActions = [
    { type: 'CallGroup', id: pumps },
    { type: 'CallGroup', id: heads },
  ];
  const alarm = await story.raise(pumps, { alarmActions });
  for (const person of [ana, bo, cy]) await person.isCalled(/Pump1/);
  await story.acknowledge(alarm);
  for (const person of [ana, bo, cy]) {
    await person.isNotCalled();
    const [last] = await person.messages();
    assert.deepEqual([last?.state, last?.outcome], ['ended', 'cancelled']);
  }
  assert.ok((await story.histories()).every(({ endTime, status }) => endTime !== undefined && status === 0));
  await story.advance('1h');
  assert.equal((await story.histories()).length, 3);
});
