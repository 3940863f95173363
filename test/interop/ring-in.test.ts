// SIPp rings in: directly at the port of a trunk, through Kamailio to a registered account, and from an address that is not the trunk's.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { kamailioMissing, startKamailio } from '../../packages/sip/test/harness/kamailio.ts';
import { freePort } from '../../packages/sip/test/harness/ports.ts';
import {
  pause,
  type Sipp,
  sippMissing,
  startRefusedSippCall,
  startSippCall,
  waitsForSign,
} from '../../packages/sip/test/harness/sipp.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { type Site, startSite } from '../harness/site/site.ts';
import { keys, phoneSdp, pressesUntilHungUp } from '../harness/telephone/sipp-phone.ts';
import { spokenLog } from '../harness/telephone/spoken-log.ts';
import { until } from '../harness/until.ts';

const skip = sippMissing || withoutProgram('espeak-ng');
const pin = '246813';

/** Ana is called for an alarm on her simulated phone, and does not answer. */
async function alarmForAna(site: Site) {
  const ana = await site.person('ana', { pin, numbers: [{ channel: 'simulator', address: 'ana' }] });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await ana.isCalled();
  return { ana, alarm };
}

/** Lets SIPp go on whenever the next of these is spoken. */
async function signAt(sipp: Sipp, texts: () => Promise<string>): Promise<void> {
  for (const asked of ['Enter your user number', 'Enter your PIN', 'Pump1 is too hot']) {
    await until(texts, (said) => said.includes(asked));
    await sipp.sign();
  }
}

async function expectPlayed(t: TestContext, sipp: Sipp): Promise<void> {
  t.after(() => sipp.stop());
  const { code, log } = await sipp.ended;
  assert.equal(code, 0, log);
}

/** Number, PIN, and the key that takes the alarm, each when it is asked for and SIPp has sent the end of the last key. */
const takes = (userId: number) => [
  ...[waitsForSign, keys(`${userId}#`), waitsForSign, pause(1_500), keys(`${pin}#`), waitsForSign, pause(1_500)],
  ...pressesUntilHungUp('1'),
];

describe('SIPp rings in', { skip, concurrency: 3 }, () => {
  it('at the port of a trunk, and takes the alarm', async (t) => {
    const { overrides, texts } = await spokenLog(t as TestContext);
    const site = await startSite(t as TestContext, 'sqlite', { overrides });
    const listenPort = await freePort();
    const settings = { host: '127.0.0.1', port: await freePort(), user: 'tocsin', ringIn: true, listenPort };
    await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
    const { ana, alarm } = await alarmForAna(site);
    const call = { port: listenPort, to: 'tocsin', from: '33123456789' };
    const sipp = await startSippCall(call, phoneSdp, takes(ana.id));
    await Promise.all([expectPlayed(t as TestContext, sipp), signAt(sipp, texts)]);
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
    assert.match(
      await texts(),
      /Enter your user number[\s\S]*Enter your PIN[\s\S]*Pump1 is too hot[\s\S]*You have taken it/,
    );
    const row = (await site.callHistories()).find(({ cause }) => cause === 'ringIn');
    assert.deepEqual([row?.user, row?.address, row?.provider, row?.outcome], ['ana', '33123456789', 'PBX', 'answered']);
    await ana.isNotCalled();
  });

  it('from an address that is not that of the trunk, and is refused', async (t) => {
    const site = await startSite(t as TestContext, 'sqlite');
    const listenPort = await freePort();
    const settings = { host: '127.0.0.9', port: await freePort(), user: 'tocsin', ringIn: true, listenPort };
    const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
    await until(
      () => site.request('POST', `/providers/${id}/test`),
      ({ status }) => status === 200,
    );
    const call = { port: listenPort, to: 'tocsin' };
    await expectPlayed(t as TestContext, await startRefusedSippCall(call, phoneSdp, 403));
  });

  it('through the registrar of an account, and takes the alarm', { skip: kamailioMissing }, async (t) => {
    const kamailio = await startKamailio({ realm: 'pbx.test', password: 'secret' });
    t.after(() => kamailio.stop());
    const { overrides, texts } = await spokenLog(t as TestContext);
    const site = await startSite(t as TestContext, 'sqlite', { overrides });
    const settings = {
      ...{ host: '127.0.0.1', port: kamailio.port, domain: 'pbx.test', user: 'tocsin' },
      ...{ register: true, ringIn: true },
    };
    const secrets = { password: 'secret' };
    const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings, secrets });
    const { ana, alarm } = await alarmForAna(site);
    const credentials = { username: 'desk', password: 'secret' };
    const call = { port: kamailio.port, to: 'tocsin', domain: 'pbx.test', from: 'desk', credentials };
    await until(
      async () => (await site.ask<{ ok: boolean }>('POST', `/providers/${id}/test`)).ok,
      (ok) => ok,
    );
    const sipp = await startSippCall(call, phoneSdp, takes(ana.id));
    await Promise.all([expectPlayed(t as TestContext, sipp), signAt(sipp, texts)]);
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  });
});
