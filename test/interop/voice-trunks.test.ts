// Several SIP trunks to SIPp: one that is dead or overloaded is followed by the next, and calls wait for a free line.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../packages/sip/test/harness/ports.ts';
import { receive, respond, sippMissing, startSipp } from '../../packages/sip/test/harness/sipp.ts';
import { type Site, startSite } from '../harness/site/site.ts';
import { voice } from '../harness/site/site-phones.ts';
import { until } from '../harness/until.ts';

const busy = [receive('INVITE'), respond(486, 'Busy Here'), receive('ACK')];
const overloaded = [receive('INVITE'), respond(503, 'Service Unavailable'), receive('ACK')];

async function sippPort(t: TestContext, steps: readonly string[]): Promise<number> {
  const sipp = await startSipp(steps);
  t.after(() => sipp.stop());
  return sipp.port;
}

function makeTrunk(site: Site, name: string, order: number, port: number): Promise<number> {
  const settings = { host: '127.0.0.1', port, user: 'tocsin' };
  return site.create('/providers', { name, order, channel: 'voice', kind: 'sip', settings });
}

/** Calls ana, and returns how her first attempt ended. */
async function callAna(site: Site) {
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const [row] = await until(
    async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items,
    ([one]) => one?.endTime !== undefined,
  );
  await site.expectWhatRings();
  return row;
}

test('SIPp: a trunk that answers 503 is followed by the next at once', { skip: sippMissing }, async (t) => {
  const site = await startSite(t, 'sqlite');
  await makeTrunk(site, 'First', 1, await sippPort(t, overloaded));
  await makeTrunk(site, 'Second', 2, await sippPort(t, busy));
  const row = await callAna(site);
  assert.deepEqual([row?.attempt, row?.outcome], [1, 'busy']);
});

test('SIPp: a trunk where nothing listens is followed by the next', { skip: sippMissing }, async (t) => {
  const site = await startSite(t, 'sqlite');
  await makeTrunk(site, 'First', 1, await freePort());
  await makeTrunk(site, 'Second', 2, await sippPort(t, busy));
  let isOver = false;
  const called = callAna(site).finally(() => (isOver = true));
  // The time-out of a provider follows the server's clock.
  await until(
    () => {
      site.app.clock.advance(500);
      void site.app.poll();
      return isOver;
    },
    (isDone) => isDone,
  );
  const row = await called;
  assert.deepEqual([row?.attempt, row?.outcome], [1, 'busy']);
});

test('SIPp: the check of a trunk says in words what is wrong', { skip: sippMissing }, async (t) => {
  const site = await startSite(t, 'sqlite');
  const dead = await makeTrunk(site, 'Dead', 1, await freePort());
  const { ok, reason } = await site.ask<{ ok: boolean; reason: string }>('POST', `/providers/${dead}/test`);
  assert.equal(ok, false);
  assert.match(reason, /the PBX cannot be reached/);
  const port = await sippPort(t, [receive('OPTIONS'), respond(200, 'OK')]);
  const alive = await makeTrunk(site, 'Alive', 2, port);
  assert.deepEqual(await site.ask('POST', `/providers/${alive}/test`), { ok: true, reason: '' });
  await site.expectWhatRings();
});
