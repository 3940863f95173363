// A busy telephone is retried `countTry` times, `timeToRetry` apart.

import assert from 'node:assert/strict';
import { PostOffice } from '../../../harness/post-office.ts';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('each busy signal counts as one try', async (t, kind) => {
  const exchange = new PostOffice({ kind: 'failed', retry: 'later', reason: 'busy' });
  const story = await startStory(t, kind, { channels: new Map([['voice', exchange]]) });
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(group, { priority: 3 });
  await story.advance('10m');
  await story.expectWhatRings();
  assert.deepEqual(
    (await story.histories(`&alarmId=${alarm}`)).map(
      ({ attempt, startTime, detail, status }) => `${attempt} ${String(startTime).slice(14, 19)} ${detail} ${status}`,
    ),
    ['1 00:00 busy 4', '2 01:00 busy 4', '3 02:00 busy 4'],
  );
  assert.ok((await story.systemAlarms()).includes(`system/nobody-took-it/group/${group}`));
});
