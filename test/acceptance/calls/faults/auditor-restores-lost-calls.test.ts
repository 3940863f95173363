// The call auditor finds an open call without a next step within a minute, restores it, raises a system alarm and skips
// the heartbeat.

import assert from 'node:assert/strict';
import { heartbeatMonitor } from '../../../harness/site/heartbeat-monitor.ts';
import { startSite } from '../../../harness/site/site.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const aMinute = 61_000;

testOnStores(
  'the auditor restarts a call whose next step was deleted, raises a system alarm and skips the heartbeat',
  async (t, kind) => {
    const outside = await heartbeatMonitor(t);
    const site = await startSite(t, kind, { overrides: { TOCSIN_HEARTBEAT_URL: outside.url } });
    site.app.clock.advance(aMinute);
    await site.app.poll();
    await until(outside.beats, (beats) => beats === 1);
    const ana = await site.person('ana', { numbers: [{ channel: 'voice', address: '+331', countTry: 5 }] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group);
    await ana.isCalled(/Pump1/);
    await ana.hangsUp();
    const before = (await site.callHistories()).length;
    await executeSql(
      site.app,
      `update calls set next_due = null; update call_cycles set phase = 'attempting', due_at = null`,
    );
    site.app.clock.advance(aMinute);
    await site.app.poll();
    await until(site.systemAlarms.bind(site), (paths) => paths.includes('system/auditor'));
    await ana.isCalled(/Pump1/);
    assert.equal((await site.callHistories('&userId=2')).length, before + 1);
    assert.equal(outside.beats(), 1, 'no heartbeat for the minute in which a call was forgotten');
    site.app.clock.advance(aMinute);
    await site.app.poll();
    await until(outside.beats, (beats) => beats === 2);
    await site.expectWhatRings();
  },
);

testOnStores('the auditor restores the deleted cause of an alarm, and the alarm is called for', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { alarmActions: [{ type: 'CallGroup', id: group, parameter: '3000' }] });
  await executeSql(site.app, 'delete from call_causes');
  site.app.clock.advance(aMinute);
  await site.app.poll();
  await until(site.systemAlarms.bind(site), (paths) => paths.includes('system/auditor'));
  await site.advance('3001s');
  await ana.isCalled(/Pump1/);
  await site.expectWhatRings();
});

testOnStores('a call that cannot be repaired keeps no other from being repaired', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const fans = await site.group('Fans', [await site.team('Day', [bo])]);
  await site.alarms.raise(pumps);
  await site.alarms.raise(fans, { path: 'Fan', alarmMessage: 'Fan' });
  for (const person of [ana, bo]) {
    await person.isCalled();
    await person.hangsUp();
  }
  await executeSql(
    site.app,
    `update calls set next_due = null; update call_cycles set phase = 'attempting', due_at = null`,
  );
  await executeSql(site.app, `update calls set visited = '{' where target_id = ${pumps}`);
  site.app.clock.advance(aMinute);
  await site.app.poll();
  await until(bo.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await executeSql(site.app, `update calls set visited = '[]' where target_id = ${pumps}`);
  await site.expectWhatRings();
});
