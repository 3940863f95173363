// kill -9 at each step of a delivery, three times in a row: everybody else is called meanwhile, and then either the person is passed over
// with the reason and the next one is called, or, where the step is not one of that call alone, the person is called again.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { missing } from '../../../packages/sip/test/harness/programs.ts';
import { callerOn } from '../../harness/channels/crash.ts';
import { WebhookReceiver } from '../../harness/channels/webhook-receiver.ts';
import { bundleWithFailpoints, type FailpointServer, startFailpointServer } from '../../harness/failpoints/server.ts';
import { groupOn, personOn } from '../../harness/fuzz/fuzz-site.ts';
import { migratedStore } from '../../harness/site/app.ts';
import type { Caller } from '../../harness/site/site-caller.ts';
import { isSoak } from '../../harness/soak.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

const ends = 3;
/** How long a step may take to come, which not every delivery takes. */
const stepWithinMs = 15_000;
const steps =
  /^src\/(?:dispatch\/(?:call-dispatcher|due\/due-attempts)|channels\/(?:voice|webhook|simulator)\/|operations\/)[^ ]* /;
const beats = /setInterval|constructor|check|poll/;

type Numbers = Readonly<Record<string, (n: number) => object>>;

async function openPeers(t: TestContext, caller: Caller): Promise<Numbers> {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const hooks = await WebhookReceiver.start(t, 200);
  const answering = setInterval(() => peer.pickUp(), 200);
  t.after(() => clearInterval(answering));
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  await caller.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  await caller.create('/providers', { name: 'Program', ...hooks.provider() });
  return {
    voice: (n) => ({ channel: 'voice', address: `+3310000${String(n).padStart(4, '0')}` }),
    webhook: (n) => ({ channel: 'webhook', address: hooks.url(`person/${n}`) }),
    simulator: (n) => ({ channel: 'simulator', address: `+3320000${String(n).padStart(4, '0')}` }),
  };
}

/** The steps that a delivery on a channel takes, by trying one. */
async function stepsOf(
  server: FailpointServer,
  caller: Caller,
  number: object,
  name: string,
): Promise<readonly string[]> {
  const group = await groupOn(caller, name, [await personOn(caller, name, number)]);
  const id = await caller.alarms.raise(group, { path: name });
  await pause(4_000);
  await caller.alarms.acknowledge(id);
  return [...server.passed].filter((place) => steps.test(place) && !beats.test(place));
}

async function isRung(caller: Caller, person: number, about: string): Promise<boolean> {
  const { status, text } = await caller.request('GET', `/simulator/phones/${person}`);
  return status === 200 && text.includes(about);
}

test('kill -9 at each step of a delivery holds up nobody else, and the next person is called', {
  skip: missing('espeak-ng', 'espeak-ng') || (!isSoak && 'in the soak'),
}, async (t) => {
  const environment = { ...(await migratedStore(t, 'sqlite')), TOCSIN_PUBLIC_URL: 'http://127.0.0.1' };
  const folder = await bundleWithFailpoints(t);
  const start = (at = ''): Promise<FailpointServer> =>
    startFailpointServer(t, folder, { ...environment, ...(at === '' ? {} : { FAILPOINTS_KILL_AT: at }) });
  let server = await start();
  let caller = await callerOn(server);
  const numbers = await openPeers(t, caller);
  let people = 0;
  const outcomes = { passedOver: 0, calledAgain: 0, notReached: 0 };
  for (const [channel, numberOf] of Object.entries(numbers)) {
    for (const step of await stepsOf(server, caller, numberOf(++people), `${channel} tried`)) {
      const n = ++people;
      const ana = await personOn(caller, `ana ${n}`, numberOf(n));
      const [bo, eve] = [
        await personOn(caller, `bo ${n}`, { channel: 'simulator', address: `+3330000${n}` }),
        await personOn(caller, `eve ${n}`, { channel: 'simulator', address: `+3340000${n}` }),
      ];
      const team = await caller.create('/teams', {
        name: `Team ${n}`,
        members: [
          { userId: ana, relief: false },
          { userId: bo, relief: true },
        ],
      });
      const pumps = await caller.create('/callgroups', { name: `Pumps ${n}`, stationId: 1, teamIds: [team] });
      const fire = await groupOn(caller, `Fire ${n}`, [eve]);
      server.killAt(step);
      const about = `Pump ${n} at a step`;
      const alarm = await caller.alarms
        .raise(pumps, { path: `Pump/${n}`, alarmMessage: about })
        .catch(() => caller.alarms.raise(pumps, { path: `Pump/${n}`, alarmMessage: about }));
      let kills = 0;
      for (; kills < ends; kills += 1) {
        const hasEnded = await Promise.race([server.ended.then(() => true), pause(stepWithinMs, false)]);
        if (!hasEnded) break;
        server = await start(kills + 1 < ends ? step : '').catch(() => start());
        caller = await callerOn(server).catch(async () => {
          server = await start();
          return callerOn(server);
        });
      }
      await caller.alarms.raise(fire, { path: `Fire/${n}`, alarmMessage: `Fire ${n}` });
      await until(() => isRung(caller, eve, `Fire ${n}`), Boolean);
      if (kills < ends) {
        outcomes.notReached += 1;
        server.killAt('');
      } else {
        const attempts = async () => (await caller.list(`/call/histories?alarmId=${alarm}&limit=100`)).items;
        const found = await until(attempts, (rows) => {
          const own = rows.filter(({ userId }) => userId === ana);
          const isGivenUp = own.some(({ detail }) => /ended unexpectedly/.test(String(detail)));
          return isGivenUp
            ? rows.some(({ userId }) => userId === bo)
            : own.some(({ ringTime }) => ringTime !== undefined);
        });
        const isGivenUp = found.some(({ detail }) => /ended unexpectedly/.test(String(detail)));
        outcomes[isGivenUp ? 'passedOver' : 'calledAgain'] += 1;
      }
      await caller.request('POST', `/alarms/${alarm}/acknowledge`);
    }
  }
  t.diagnostic(`steps of deliveries: ${JSON.stringify(outcomes)}`);
  assert.ok(outcomes.passedOver > 0);
});
