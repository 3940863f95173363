// Pressing 1 on the phone takes the alarm and ends the other calls.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('pressing 1 twice takes the alarm, and the other phones stop ringing', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  const alarm = await story.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  const said = await ana.takes();
  assert.deepEqual(said, [
    'Hello ana, this is Tocsin with an alarm. Press 1 to hear it.',
    'Pump1 is too hot\nPress 1 to take it, 2 heard but keep calling others, 3 decline, 4 repeat, 5 next, 6 call me later.',
    'You have taken it. Thank you.',
  ]);
  await bo.isNotCalled();
  const { state, ackUser } = await story.alarm(alarm);
  assert.deepEqual([state, ackUser], [1, 'ana']);
  const [of] = await story.histories(`&userId=${ana.id}`);
  assert.equal(of?.status, 5);
  assert.ok(of?.answerTime && of.ackTime && of.endTime);
});
