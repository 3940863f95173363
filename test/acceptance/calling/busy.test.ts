// Two groups call the same person: the phone is busy for the second, which tries again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storesUnderTest } from '../../harness/stores.ts';
import { startStory, voice } from '../../harness/story.ts';

for (const kind of storesUnderTest()) {
  test(`${kind}: the second call comes through a minute later`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] });
    const [one, two] = [
      await story.group('One', [await story.team('One', [ana])]),
      await story.group('Two', [await story.team('Two', [ana])]),
    ];
    await story.raise(one, { path: 'One', alarmMessage: 'one' });
    await ana.isCalled(/^one$/);
    const second = await story.raise(two, { path: 'Two', alarmMessage: 'two' });
    await ana.isCalled(/^one$/);
    const [busy] = await story.histories(`&alarmId=${second}`);
    assert.deepEqual([busy?.detail, busy?.status], ['busy', 1]);
    await ana.takes();
    await ana.isNotCalled();
    await story.advance('60s');
    await ana.isCalled(/^two$/);
    await ana.takes();
    assert.equal((await story.alarm(second)).ackUser, 'ana');
  });
}
