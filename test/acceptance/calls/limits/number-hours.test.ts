// A number with a schedule is only used during its hours.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('each of two numbers is called only during the hours of its schedule', async (t, kind) => {
  const story = await startStory(t, kind);
  const team = await story.team('Hours', []);
  const [early, late] = [await story.schedule(team, '00:00', '12:02'), await story.schedule(team, '12:02', '24:00')];
  const numbers = [
    voice('+33100000001', { scheduleId: early, countTry: 1 }),
    voice('+33600000001', { scheduleId: late, countTry: 1 }),
  ];
  const ana = await story.person('ana', { numbers });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const first = await story.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000001');
  await story.acknowledge(first);
  await story.advance('2m');
  await story.raise(group, { path: 'Second' });
  assert.equal((await ana.isCalled()).address, '+33600000001');
  await ana.takes();
});
