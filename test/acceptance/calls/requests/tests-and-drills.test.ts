// A test call and a drill are marked as what they are, on the phone and in the history.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the test of a person, the drill of a group with its relief', async (t, kind) => {
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
