// Removing an alarm ends its calls.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'removing an alarm ends its ringing and its delayed calls, and leaves the calls of other alarms',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] });
    const bo = await site.person('bo');
    const [one, two] = [
      await site.group('One', [await site.team('One', [ana])]),
      await site.group('Two', [await site.team('Two', [bo])]),
    ];
    const alarmActions = [
      { type: 'CallGroup', id: two },
      { type: 'CallGroup', id: one, parameter: '300' },
    ];
    const alarm = await site.alarms.raise(two, { alarmActions });
    await bo.isCalled();
    const other = await site.alarms.raise(one, { path: 'Other', alarmMessage: 'other' });
    await ana.isCalled(/^other$/);
    await site.ask('DELETE', `/alarms/${alarm}`);
    await bo.isNotCalled();
    await ana.isCalled(/^other$/);
    await ana.takes();
    assert.equal((await site.alarms.get(other)).ackUser, 'ana');
    await site.advance('1h');
    await ana.isNotCalled();
    await bo.isNotCalled();
  },
);
