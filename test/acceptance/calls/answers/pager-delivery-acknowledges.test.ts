// For a number with `ackAutoDefault`, such as a pager, delivery counts as the person's acknowledgement.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnStores('delivery to a pager acknowledges the call but not the alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  const pager = sms('+33600000001', { ackAutoDefault: 1 });
  const ana = await site.person('ana', { numbers: [pager, voice('+33100000001')] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3, alarmShortMessage: '4711' });
  await ana.hasText(/^4711/);
  await ana.isNotCalled();
  const [row] = await site.callHistories();
  assert.deepEqual([row?.status, (await site.alarms.get(alarm)).ackUser], [5, '']);
  assert.ok(row?.ackTime);
  // Nobody has taken the alarm, and nobody is left to call.
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.admin.takes();
  await site.advance('1h');
  assert.equal((await site.callHistories(`&userId=${ana.id}`)).length, 1);
});

testOnStores('who was reached by a pager while a telephone has time to answer is not called again', async (t, kind) => {
  const site = await startSite(t, kind);
  const phone = voice('+33100000001', { countTry: 1, countAck: 0, timeToAck: 300 });
  const pager = sms('+33600000001', { ackAutoDefault: 1 });
  const ana = await site.person('ana', { role: 'administrator', numbers: [pager, phone] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3, alarmShortMessage: '4711' });
  await ana.hasText(/^4711/);
  await site.admin.isCalled(/^Nobody has taken this/);
  await site.admin.takes();
  // The last resort, which she belongs to, does not ring her.
  await site.advance('1h');
  assert.equal((await site.callHistories(`&userId=${ana.id}`)).length, 1);
});
