// For a number with `ackAutoDefault`, such as a pager, delivery counts as the person's acknowledgement.

import assert from 'node:assert/strict';
import { sms, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('delivery to a pager acknowledges the call but not the alarm', async (t, kind) => {
  const story = await startStory(t, kind);
  const pager = sms('+33600000001', { ackAutoDefault: 1 });
  const ana = await story.person('ana', { numbers: [pager, voice('+33100000001')] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(group, { priority: 3, alarmShortMessage: '4711' });
  await ana.hasText(/^4711/);
  await ana.isNotCalled();
  const [row] = await story.histories();
  assert.deepEqual([row?.status, (await story.alarm(alarm)).ackUser], [5, '']);
  assert.ok(row?.ackTime);
  await story.advance('1h');
  assert.equal((await story.histories()).length, 1);
  assert.deepEqual(await story.systemAlarms(), []);
});
