// A gas leak that joins a telephone call for a lamp, by SIP to SIPp, which others wrote: nobody picks up, and the telephone rings again for
// the gas leak as soon as it is free.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause, receive, respond, sippMissing, startSipp } from '../../packages/sip/test/harness/sipp.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { runningClock } from '../harness/site/clock.ts';
import { startSite } from '../harness/site/site.ts';
import { voice } from '../harness/site/site-phones.ts';
import { called, rings } from '../harness/telephone/sipp-phone.ts';
import { until } from '../harness/until.ts';

const skip = sippMissing || withoutProgram('espeak-ng');
const ringMs = 3_000;

test('SIPp: priority 1 that joins while the telephone rings is called for within 5 s of its end', {
  skip,
}, async (t) => {
  const unanswered = [called, rings, pause(ringMs), respond(480, 'Temporarily Unavailable'), receive('ACK')];
  const sipp = await startSipp(unanswered, { calls: 2 });
  t.after(() => sipp.stop());
  const site = await startSite(t, 'sqlite', { clock: runningClock() });
  const settings = { host: '127.0.0.1', port: sipp.port, user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1, timeToRetry: 300 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const rows = async () => (await site.list(`/call/histories?limit=10&userId=${ana.id}`)).items;
  const lamp = await site.alarms.raise(group, { path: 'Lamp', alarmMessage: 'Lamp broken', priority: 3 });
  await until(rows, ([row]) => row?.ringTime !== undefined && row.ringTime !== null);
  const gas = await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
  const { code, log } = await sipp.ended;
  assert.equal(code, 0, log);
  const [first, second] = await until(rows, (found) => found.length >= 2 && found[1]?.ringTime != null);
  assert.deepEqual(first?.alarmIds, [lamp], 'it is not what she was rung for at first');
  assert.deepEqual(second?.alarmIds, [gas]);
  const waited = Date.parse(String(second?.startTime)) - Date.parse(String(first?.endTime));
  assert.ok(waited <= 5_000, `called after ${waited} ms`);
  await site.alarms.acknowledge(gas);
  await site.expectWhatRings();
});
