// A call with a delay: a return to normal within the delay cancels it, except for a transitory alarm.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a return to normal cancels a call whose delay has not run out', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarmActions = [{ type: 'CallGroup', id: group, parameter: '120' }];
  await site.alarms.raise(group, { alarmActions });
  await site.advance('119s');
  await ana.isNotCalled();
  await site.alarms.returnsToNormal();
  await site.advance('10m');
  await ana.isNotCalled();
  assert.deepEqual(await site.callHistories(), []);
  await site.alarms.raise(group, { alarmActions });
  await site.advance('120s');
  await ana.isCalled(/Pump1/);
});

testOnAnyStore('a transitory alarm is called for after the delay although it is back to normal', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const transitory = {
    alarmActions: [{ type: 'CallGroup', id: group, parameter: '120' }],
    eventCondition: { transitory: true },
  };
  await site.alarms.raise(group, transitory);
  await site.advance('60s');
  // The second occurrence must not cancel the pending call of the first.
  await site.alarms.raise(group, transitory);
  await site.advance('59s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Pump1/);
});

testOnAnyStore('an alarm raised and back to normal in one request calls nobody after the delay', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_END_ON_RETURN: '2' } });
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const comesAndGoes = (path: string, more: object = {}, parameter = '120') => [
    { path, alarmMessage: path, alarmActions: [{ type: 'CallGroup', id: group, parameter }], ...more },
    { path, raised: false },
  ];
  await site.ask('POST', '/alarms/batch', [
    ...comesAndGoes('Delayed'),
    ...comesAndGoes('By setting', { priority: 2 }, ''),
  ]);
  await site.advance('10m');
  await ana.isNotCalled();
  await site.ask('POST', '/alarms/batch', [
    ...comesAndGoes('Transitory', { eventCondition: { transitory: true } }),
    ...comesAndGoes('At once', {}, ''),
  ]);
  await ana.isCalled(/At once/);
  await ana.takes();
  await site.advance('2m');
  await ana.isCalled(/Transitory/);
});

testOnAnyStore(
  'a transitory alarm that comes twice in one request is called for once, and taken by its call',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarmActions = [{ type: 'CallGroup', id: group }];
    const bell = { path: 'Bell', eventCondition: { transitory: true }, alarmActions };
    const batch = ['ding', 'dong'].map((alarmMessage) => ({ ...bell, alarmMessage }));
    const [alarm = 0] = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
    await ana.isCalled(/^dong$/);
    await ana.takes();
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
    await site.advance('1h');
    await ana.isNotCalled();
  },
);
