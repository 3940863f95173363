// An acknowledgement by HTTP request ends all calls for the alarm at once.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('an acknowledgement by request stops every ringing phone and all further attempts', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo, cy] = [await site.person('ana'), await site.person('bo'), await site.person('cy')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const heads = await site.group('Heads', [await site.team('Heads', [cy])]);
  const alarmActions = [
    { type: 'CallGroup', id: pumps },
    { type: 'CallGroup', id: heads },
  ];
  const alarm = await site.alarms.raise(pumps, { alarmActions });
  for (const person of [ana, bo, cy]) await person.isCalled(/Pump1/);
  await site.alarms.acknowledge(alarm);
  for (const person of [ana, bo, cy]) {
    await person.isNotCalled();
    const [last] = await person.messages();
    assert.deepEqual([last?.state, last?.outcome], ['ended', 'cancelled']);
  }
  assert.ok((await site.callHistories()).every(({ endTime, status }) => endTime !== undefined && status === 0));
  await site.advance('1h');
  assert.equal((await site.callHistories()).length, 3);
});
