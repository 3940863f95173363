// Declining a call calls the relief at once.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a person who declines is not called again, and the relief is called at once', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  assert.equal((await ana.declines()).at(-1), 'Declined. The next one is called now.');
  await ana.isNotCalled();
  await bo.isCalled(/Pump1/);
  await bo.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'bo');
});

testOnAnyStore('"the next one is called now" is said only when it is true', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isCalled();
  assert.equal((await ana.declines()).at(-1), 'Declined. Others are being called.');
  await bo.takes();
  await site.alarms.returnsToNormal();
  assert.equal((await site.alarms.get(alarm)).state, 0);
  await site.advance('60s');
  await site.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'come in' });
  await ana.isCalled(/come in/);
  assert.equal((await ana.declines()).at(-1), 'Declined. Nobody else is called now.');
});

testOnStores('a person who declines one call about sixty alarms is told who is called now', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
  const alarms = Array.from({ length: 60 }, (_, n) => ({
    path: `Pump${n}`,
    alarmMessage: `pump ${n}`,
    priority: 3,
    alarmActions: [{ type: 'CallGroup', id: group }],
  }));
  await site.ask('POST', '/alarms/batch', alarms);
  await ana.isCalled();
  assert.match((await ana.declines()).at(-1) ?? '', /^Declined\. The next one is called now\.\nAlarm 2 of 60: /);
  await bo.isCalled();
});
