// Key 9 takes what the call has announced: an alarm that joins between the announcement and the key is called for afterwards.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('key 9 takes no alarm that joined after it was said how many there are', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const storm = Array.from({ length: 14 }, (_, n) => ({
    path: `A${n}`,
    alarmMessage: `a${n}`,
    priority: 3,
    alarmActions,
  }));
  const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', storm);
  await ana.isCalled();
  const [, said = ''] = await ana.answers('1');
  assert.match(said, /^There are 14/);
  const late = await site.alarms.raise(group, { path: 'Late', alarmMessage: 'late', priority: 2 });
  await site.settle();
  assert.match(await ana.press('9'), /^You are about to take 14 alarms/);
  assert.equal(await ana.press('1'), 'You have taken 14 alarms. Thank you.');
  await site.settle();
  for (const id of ids) assert.equal((await site.alarms.get(id)).ackUser, 'ana');
  assert.equal((await site.alarms.get(late)).ackUser, '');
  await site.advance('60s');
  await ana.isCalled(/^late$/);
  await ana.takes();
});
