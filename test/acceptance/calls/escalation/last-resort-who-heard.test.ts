// Who has heard an alarm as one of the group is not rung by the last resort, which waits without an alarm of its own.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('who heard an alarm that nobody took is not rung by the last resort an hour later', async (t, kind) => {
  const site = await startSite(t, kind);
  const group = await site.group('Pumps', [await site.team('Night', [site.admin])]);
  await site.alarms.raise(group, { priority: 3 });
  await site.admin.isCalled();
  await site.admin.hears();
  for (let minute = 0; minute < 60; minute += 10) {
    await site.advance('10m');
    await site.admin.isNotCalled();
  }
  assert.equal((await site.callHistories()).length, 1);
});

testOnAnyStore(
  'the only administrator, who declined two urgent alarms in one call, is called for both after the pause',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const group = await site.group('Nobody', []);
    const pump = await site.alarms.raise(group, { priority: 1 });
    await site.admin.isCalled();
    await site.advance('5s');
    const gas = await site.alarms.raise(group, { path: 'Gas', priority: 1 });
    await site.settle();
    await site.admin.answers('1', '3', '3');
    await site.admin.isNotCalled();
    await site.advance('5m');
    await site.admin.isCalled();
    await site.admin.answers('1', '1', '1');
    const both = [await site.alarms.get(pump), await site.alarms.get(gas)];
    assert.deepEqual(
      both.map(({ ackUser }) => ackUser),
      ['admin', 'admin'],
    );
  },
);

testOnAnyStore(
  'who declined an alarm that joined while the phone rang is not rung for it an hour later',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const group = await site.group('Nobody', []);
    await site.alarms.raise(group, { priority: 3 });
    await site.admin.isCalled();
    await site.advance('5s');
    await site.alarms.raise(group, { path: 'Gas', priority: 3 });
    await site.settle();
    await site.admin.answers('1', '3', '3');
    for (let minute = 0; minute < 80; minute += 10) await site.advance('10m');
    assert.equal((await site.callHistories()).length, 1);
  },
);

testOnAnyStore('a pager that got an alarm is not rung by the last resort, and health stays green', async (t, kind) => {
  const site = await startSite(t, kind);
  const admin = await site.ask<object>('GET', '/users/1');
  const pager = sms('+33100000009', { ackAutoDefault: 1, timeToRetry: 60 });
  await site.ask('PUT', '/users/1', { ...admin, numbers: [pager] });
  const group = await site.group('Pumps', [await site.team('Night', [site.admin])]);
  await site.alarms.raise(group, { priority: 3 });
  await site.advance('10m');
  assert.equal((await site.callHistories()).length, 1);
  assert.deepEqual(await site.activeSystemAlarms(), [`system/nobody-took-it/group/${group}`]);
  assert.equal((await site.app.request('GET', '/health/calling')).status, 200);
});
