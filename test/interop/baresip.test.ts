// A telephone call to baresip, a softphone that others wrote: it rings, is picked up, and its keys take the alarm.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutProgram } from '../harness/server/tools.ts';
import { startSite } from '../harness/site/site.ts';
import { voice } from '../harness/site/site-phones.ts';
import { baresipMissing, startBaresip } from '../harness/telephone/baresip.ts';
import { until } from '../harness/until.ts';

test('a softphone rings, and its keys take the alarm', {
  skip: baresipMissing || withoutProgram('espeak-ng'),
}, async (t) => {
  const phone = await startBaresip();
  t.after(() => phone.stop());
  const site = await startSite(t, 'sqlite');
  const settings = { host: '127.0.0.1', port: phone.port, user: 'tocsin', dialPrefix: '' };
  await site.create('/providers', { name: 'Desk phone', channel: 'voice', kind: 'sip', settings });
  const ana = await site.person('ana', { numbers: [voice('201', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const rows = async () => (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items;
  await until(rows, ([row]) => row?.ringTime !== undefined);
  await phone.pickUp();
  await until(rows, ([row]) => row?.answerTime !== undefined);
  const pressing = setInterval(() => void phone.press('1').catch(() => {}), 1_500);
  await until(
    () => site.alarms.get(alarm),
    ({ ackUser }) => ackUser === 'ana',
  ).finally(() => clearInterval(pressing));
  const [row] = await until(rows, ([one]) => one?.endTime !== undefined);
  assert.equal(row?.outcome, 'answered');
});
