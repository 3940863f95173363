// If nobody is on call and there is no relief, the call waits for the next shift, and the last resort is called.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the administrators are called at once, the team when its shift begins', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const team = await story.team('Night', [ana]);
  const scheduleId = await story.schedule(team, '12:05', '24:00');
  const group = await story.group('Pumps', [team], { scheduleId });
  const alarm = await story.raise(group);
  await ana.isNotCalled();
  assert.deepEqual(await story.systemAlarms(), [`system/nobody-on-call/${group}`]);
  await story.admin.isCalled(/Nobody is on call in call group "Pumps": schedule .* gives the duty to nobody/);
  await story.admin.takes();
  await story.advance('299s');
  await ana.isNotCalled();
  await story.advance('1s');
  await ana.isCalled(/Pump1/);
  await ana.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'ana');
});

testOnStores('a person set on duty by request is called within a minute', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { onDuty: false });
  const group = await story.group('Pumps', [await story.team('Night', [], [ana])]);
  await story.raise(group);
  await story.admin.isCalled(/user \d+ "ana" is off duty/);
  await story.admin.takes();
  const { id, lastChange, numbers, ...fields } = await story.ask('GET', `/users/${ana.id}`);
  await story.ask('PUT', `/users/${ana.id}`, { ...fields, numbers, onDuty: true });
  await story.advance('60s');
  await ana.isCalled(/Pump1/);
});
