// The actions of a return to normal and of an acknowledgement call people too, with their own texts.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('people are called about the return to normal and about the acknowledgement', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const heads = await site.group('Heads', [await site.team('Heads', [bo])]);
  const call = [{ type: 'CallGroup', id: heads }];
  const alarm = await site.alarms.raise(pumps, {
    resetActions: call,
    resetMessage: 'Pump1 has cooled down',
    ackActions: call,
  });
  await ana.isCalled(/^Pump1 is too hot$/);
  await bo.isNotCalled();
  await site.alarms.returnsToNormal();
  await bo.isCalled(/^Pump1 has cooled down$/);
  await bo.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
  await ana.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  await bo.isCalled(/^Acknowledged: Pump1 is too hot$/);
  await bo.hears();
  // The acknowledgement is only information, so nobody is called again for it.
  await site.advance('1h');
  await bo.isNotCalled();
});

testOnAnyStore('a call about a return or an acknowledgement is confirmed, not taken', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo', { numbers: [sms('+33600000001')] })];
  const call = [ana, bo].map(({ id }) => ({ type: 'CallUser', id }));
  const more = { alarmActions: [], resetActions: call, ackActions: call };
  const alarm = await site.alarms.raise(0, more);
  await site.alarms.returnsToNormal();
  await ana.isCalled(/^Back to normal: Pump1 is too hot$/);
  assert.deepEqual(await ana.answers('1', '1'), [
    'Hello ana, this is Tocsin with a message. Press 1 to hear it.',
    'Back to normal: Pump1 is too hot\nPress 1 to confirm that you have heard it, 3 decline, 4 repeat, 5 next, 6 call me later.',
    'Confirmed. Thank you.',
  ]);
  const { code } = await bo.hasText(/^Back to normal: .*\nReply \d+ to confirm that you have read it\.$/);
  assert.equal(await bo.texts(code), 'Thank you.');
  const { state, ackUser } = await site.alarms.get(alarm);
  assert.deepEqual([state, ackUser], [2, '']);
  await site.alarms.acknowledge(alarm);
  await ana.isCalled(/^Acknowledged: Pump1 is too hot$/);
  assert.equal((await ana.answers('1', '2')).at(-1), 'Confirmed. Thank you.');
  const last = await bo.hasText(/^Acknowledged: /);
  assert.equal(await bo.texts(last.code), 'Thank you.');
  assert.deepEqual(
    (await site.callHistories()).map(({ status }) => status),
    [5, 5, 5, 5],
  );
  await site.advance('1h');
  await ana.isNotCalled();
});
