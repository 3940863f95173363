// The escalate request calls the relief group at once, in addition to the people already called.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('an escalate request calls the relief group at once, and the first people ring on', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const heads = await story.group('Heads', [await story.team('Heads', [bo])]);
  const group = await story.group('Pumps', [await story.team('Night', [ana])], { reliefGroupId: heads });
  const alarm = await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isNotCalled();
  await story.ask<boolean>('POST', `/alarms/${alarm}/escalate`);
  await ana.isCalled();
  await bo.isCalled(/Pump1/);
  await bo.hears();
  await ana.isCalled();
  const again = await story.request('POST', `/alarms/${alarm}/escalate`);
  assert.equal(again.status, 422, again.text);
  await ana.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'ana');
  const late = await story.request('POST', `/alarms/${alarm}/escalate`);
  assert.equal(late.status, 409, late.text);
  assert.equal((await story.request('POST', '/alarms/4711/escalate')).status, 404);
});
