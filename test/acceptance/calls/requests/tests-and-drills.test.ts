// Test calls and drills are marked as tests on the phone and in the call history.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a test call to a user, and a drill of a group that goes on to its relief', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const group = await story.group('Pumps', [await story.team('Night', [ana], [bo])]);
  assert.equal(await story.ask<boolean>('POST', '/call/test', { userIds: [ana.id] }), true);
  await ana.isCalled(/^Test: this is a test call$/);
  await ana.takes();
  await story.ask('POST', `/callgroups/${group}/drill`, { msgText: 'Fire drill' });
  await ana.isCalled(/^Test: Fire drill$/);
  await bo.isNotCalled();
  await ana.declines();
  await bo.isCalled(/^Test: Fire drill$/);
  await bo.takes();
  const rows = (await story.histories()).map(({ user, cause, alarmId, callGroupId }) => [
    user,
    cause,
    alarmId,
    callGroupId,
  ]);
  assert.deepEqual(rows, [
    ['ana', 'test', undefined, undefined],
    ['ana', 'test', undefined, group],
    ['bo', 'test', undefined, group],
  ]);
  assert.deepEqual((await story.ask<{ items: unknown[] }>('GET', '/alarms')).items, []);
  assert.equal((await story.request('POST', '/callgroups/99/drill', {})).status, 404);
});
