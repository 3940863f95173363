// The call auditor finds within a minute who is not being called for, has them called, raises a system alarm and skips the heartbeat.

import assert from 'node:assert/strict';
import { heartbeatMonitor } from '../../../harness/site/heartbeat-monitor.ts';
import { startSite } from '../../../harness/site/site.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const aMinute = 61_000;

testOnStores(
  'the auditor restores the deleted cause of an alarm, raises a system alarm and skips the heartbeat',
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
    await executeSql(site.app, 'delete from call_causes');
    site.app.clock.advance(aMinute);
    await site.app.poll();
    await until(site.systemAlarms.bind(site), (paths) => paths.includes('system/auditor'));
    await ana.isCalled(/Pump1/);
    assert.equal(outside.beats(), 1, 'no heartbeat for the minute in which a call was forgotten');
    site.app.clock.advance(aMinute);
    await site.app.poll();
    await until(outside.beats, (beats) => beats === 2);
    await site.expectWhatRings();
  },
);

testOnStores('the auditor restores a delayed cause with its delay', async (t, kind) => {
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

testOnStores('a cause that cannot be restored keeps no other from being restored', async (t, kind) => {
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
  const poison =
    kind === 'sqlite'
      ? `create trigger poison before insert on call_causes when new.target_id = ${pumps}
          begin select raise(abort, 'poison'); end`
      : `create function poison() returns trigger as $$ begin
          if new.target_id = ${pumps} then raise exception 'poison'; end if; return new; end $$ language plpgsql;
          create trigger poison before insert on call_causes for each row execute function poison()`;
  await executeSql(site.app, 'delete from call_causes');
  await executeSql(site.app, poison);
  site.app.clock.advance(aMinute);
  await site.app.poll();
  await until(bo.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await executeSql(site.app, kind === 'sqlite' ? 'drop trigger poison' : 'drop trigger poison on call_causes');
  await site.expectWhatRings();
});
