// Ringing in: who has not signed in holds some of the lines at most, so that a stranger leaves the others to the people of the plant.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { freePort } from '../../../../packages/sip/test/harness/ports.ts';
import { missing } from '../../../../packages/sip/test/harness/programs.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { RingInCaller } from '../../../harness/telephone/ring-in-caller.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { spokenLog } from '../../../harness/telephone/spoken-log.ts';
import { until } from '../../../harness/until.ts';

const desk = '33123456789';
const most = 4;

async function trunkToRing(t: TestContext, site: Site, more: object = {}): Promise<number> {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const listenPort = await freePort();
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin', ringIn: true, listenPort, ...more };
  const secrets = { password: 'pass-4711' };
  const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings, secrets });
  await until(
    () => site.ask<{ ok: boolean }>('POST', `/providers/${id}/test`),
    ({ ok }) => ok,
  );
  return listenPort;
}

/** Rings with each of the numbers, and returns the first statuses. */
async function statusesOf(caller: RingInCaller, name: string, numbers: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const [n, number] of numbers.entries()) {
    caller.invite(`${name}-${n}`, number);
    statuses.push(await caller.statusOf(`${name}-${n}`));
  }
  return statuses;
}

const rings = (times: number): readonly number[] => Array.from({ length: times }, () => 180);

testOnAnyStore(
  'a number that has rung in four times without signing in is busy, and others are not',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const caller = await RingInCaller.start(t, await trunkToRing(t, site));
    const five = Array.from({ length: most + 1 }, () => desk);
    assert.deepEqual(await statusesOf(caller, 'desk', five), [...rings(most), 486]);
    assert.deepEqual(await statusesOf(caller, 'others', ['33100000001', '33100000002']), rings(2));
    await caller.statusOf('desk-0', 200);
    caller.hangUp('desk-0');
    // The line is free when the BYE has been handled.
    let n = 0;
    const again = async (): Promise<number> => {
      caller.invite(`again-${++n}`, desk);
      return caller.statusOf(`again-${n}`);
    };
    await until(again, (status) => status === 180);
    for (const call of ['desk-1', 'desk-2', 'desk-3', 'others-0', 'others-1', `again-${n}`]) {
      await caller.statusOf(call, 200);
      caller.hangUp(call);
    }
    await site.expectWhatRings();
  },
);

testOnAnyStore('a stranger who comes past the exchange is one source, whatever number they show', async (t, kind) => {
  const site = await startSite(t, kind);
  const listenPort = await trunkToRing(t, site, { register: true });
  const stranger = await RingInCaller.start(t, listenPort, '127.0.0.9');
  const numbers = Array.from({ length: most + 2 }, (_, n) => `3310000000${n}`);
  assert.deepEqual(await statusesOf(stranger, 'stranger', numbers), [...rings(most), 486, 486]);
  const exchange = await RingInCaller.start(t, listenPort);
  assert.deepEqual(await statusesOf(exchange, 'desk', [desk]), rings(1));
  for (const [caller, call] of [
    ...[0, 1, 2, 3].map((n) => [stranger, `stranger-${n}`] as const),
    [exchange, 'desk-0'] as const,
  ]) {
    await caller.statusOf(call, 200);
    caller.hangUp(call);
  }
  await site.expectWhatRings();
});

testOnAnyStore(
  'who has signed in is no stranger any more',
  async (t, kind) => {
    const { overrides, texts } = await spokenLog(t);
    const site = await startSite(t, kind, { overrides });
    const caller = await RingInCaller.start(t, await trunkToRing(t, site));
    const ana = await site.person('ana', { pin: '246813', numbers: [{ channel: 'simulator', address: 'ana' }] });
    const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
    await ana.isCalled();
    const untilSaid = (text: string) => until(texts, (said) => said.includes(text));
    caller.invite('ana', desk);
    await caller.statusOf('ana', 200);
    caller.confirm('ana');
    await untilSaid('Enter your user number');
    caller.press('ana', `${ana.id}#`);
    await untilSaid('Enter your PIN');
    caller.press('ana', '246813#');
    await untilSaid('Pump1 is too hot');
    const five = Array.from({ length: most + 1 }, () => desk);
    assert.deepEqual(await statusesOf(caller, 'desk', five), [...rings(most), 486]);
    for (const call of ['ana', 'desk-0', 'desk-1', 'desk-2', 'desk-3']) {
      await caller.statusOf(call, 200);
      caller.hangUp(call);
    }
    await site.alarms.acknowledge(alarm);
    await site.expectWhatRings();
  },
  { skip: missing('espeak-ng', 'espeak-ng') },
);
