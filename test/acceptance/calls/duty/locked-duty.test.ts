// While the duty is locked, neither the team nor the relief group nor the administrators are called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('nobody is called while the duty is locked; the team is called when the lock ends', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const team = await site.team('Night', [ana]);
  const overrides = [{ lock: true, from: '2026-11-15T11:00', to: '2026-11-15T12:05', reason: 'works on the network' }];
  const scheduleId = await site.schedule(team, '00:00', '24:00', { overrides });
  const relief = await site.group('Relief', [await site.team('Day', [bo])]);
  const group = await site.group('Pumps', [team], { scheduleId, reliefGroupId: relief });
  await site.alarms.raise(group);
  assert.deepEqual(await site.systemAlarms(), [`system/nobody-on-call/${group}`]);
  await site.advance('4m');
  for (const person of [ana, bo, site.admin]) await person.isNotCalled();
  assert.deepEqual(await site.callHistories(), []);
  await site.advance('1m');
  await ana.isCalled(/Pump1/);
  await bo.isNotCalled();
  assert.deepEqual(await site.activeSystemAlarms(), []);
});

testOnAnyStore('while nobody is on call a duty is locked, and the alarm says so instead', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.team('Night', [await site.person('ana')]);
  const scheduleId = await site.schedule(team, '02:00', '03:00');
  const group = await site.group('Pumps', [team], { scheduleId });
  const said = async () =>
    (await site.alarms.fromTocsin())
      .filter(({ path, state }) => path === `system/nobody-on-call/${group}` && state === 3)
      .map(({ message }) => message);
  await site.alarms.raise(group);
  await site.admin.isCalled();
  assert.deepEqual(await said(), ['Nobody is on call for call group "Pumps".']);
  const lock = { lock: true, from: '2026-11-15T11:00', to: '2026-11-15T12:05', reason: 'works on the network' };
  await site.ask('POST', `/schedules/${scheduleId}/overrides`, lock);
  await site.settle();
  assert.deepEqual(await said(), ['The duty of call group "Pumps" is locked: nobody is called.']);
  await site.advance('5m');
  assert.deepEqual(await said(), ['Nobody is on call for call group "Pumps".']);
  await site.expectWhatRings();
});
