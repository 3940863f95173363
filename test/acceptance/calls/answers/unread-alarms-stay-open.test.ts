// An alarm that comes while somebody speaks: nobody takes, or has heard, what they were not told of.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('who takes the first alarm is called at once for the second', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const first = await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1');
  const second = await story.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await story.settle();
  assert.equal(await ana.press('1'), 'You have taken it. Thank you.');
  await ana.isCalled(/^second$/);
  assert.deepEqual([(await story.alarm(first)).ackUser, (await story.alarm(second)).ackUser], ['ana', '']);
  await ana.hears();
  await ana.isNotCalled();
  assert.equal((await story.alarm(second)).ackUser, '');
});

testOnStores('who has heard the first alarm is called at once and told of both', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1');
  await story.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await story.settle();
  assert.equal(await ana.press('2'), 'Heard. Others are still being called.');
  await ana.isCalled(/^1 of 2: Pump1 is too hot\n2 of 2: second$/);
});
