// While the duty is locked, neither the team nor the relief group nor the administrators are called.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('nobody is called while the duty is locked; the team is called when the lock ends', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const team = await story.team('Night', [ana]);
  const overrides = [{ lock: true, from: '2026-11-15T11:00', to: '2026-11-15T12:05', reason: 'works on the network' }];
  const scheduleId = await story.schedule(team, '00:00', '24:00', { overrides });
  const relief = await story.group('Relief', [await story.team('Day', [bo])]);
  const group = await story.group('Pumps', [team], { scheduleId, reliefGroupId: relief });
  await story.raise(group);
  assert.deepEqual(await story.systemAlarms(), [`system/nobody-on-call/${group}`]);
  await story.advance('4m');
  for (const person of [ana, bo, story.admin]) await person.isNotCalled();
  assert.deepEqual(await story.histories(), []);
  await story.advance('1m');
  await ana.isCalled(/Pump1/);
  await bo.isNotCalled();
});
