// Removing an alarm ends its calls.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores(
  'removing an alarm ends its ringing and its delayed calls, and leaves the calls of other alarms',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] });
    const bo = await story.person('bo');
    const [one, two] = [
      await story.group('One', [await story.team('One', [ana])]),
      await story.group('Two', [await story.team('Two', [bo])]),
    ];
    const alarmActions = [
      { type: 'CallGroup', id: two },
      { type: 'CallGroup', id: one, parameter: '300' },
    ];
    const alarm = await story.raise(two, { alarmActions });
    await bo.isCalled();
    const other = await story.raise(one, { path: 'Other', alarmMessage: 'other' });
    await ana.isCalled(/^other$/);
    await story.ask('DELETE', `/alarms/${alarm}`);
    await bo.isNotCalled();
    await ana.isCalled(/^other$/);
    await ana.takes();
    assert.equal((await story.alarm(other)).ackUser, 'ana');
    await story.advance('1h');
    await ana.isNotCalled();
    await bo.isNotCalled();
  },
);
