// An alarm raised during a phone call that did not announce it is neither taken nor heard by the answer.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('after taking the announced alarm, the person is called for the new one', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const first = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1');
  const second = await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await site.settle();
  assert.equal(await ana.press('1'), 'You have taken it. Thank you.');
  await site.advance('60s');
  await ana.isCalled(/^second$/);
  assert.deepEqual([(await site.alarms.get(first)).ackUser, (await site.alarms.get(second)).ackUser], ['ana', '']);
  await ana.hears();
  await ana.isNotCalled();
  assert.equal((await site.alarms.get(second)).ackUser, '');
  await site.admin.isCalled(/^Nobody has taken this: second$/);
});

testOnAnyStore('after "heard" for the announced alarm, the person is called for the new one alone', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.answers('1');
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await site.settle();
  assert.equal(await ana.press('2'), 'Heard. Others are still being called.');
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.advance('60s');
  await ana.isCalled(/^second$/);
  await site.expectWhatRings();
});
