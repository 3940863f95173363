// The address of this machine that a trunk is bound to: its signalling and its sound leave from there, and nothing else is awaited.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { UserAgent } from '@tocsin/sip';
import { freePort, isTaken } from '../../../../packages/sip/test/harness/ports.ts';
import { LostCalls, refOf } from '../../../../src/channels/voice/lost-calls.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { until } from '../../../harness/until.ts';

const trunk = (settings: object) => ({
  ...{ name: 'PBX', channel: 'voice', kind: 'sip' },
  settings: { host: '127.0.0.1', user: 'tocsin', ...settings },
});

testOnAnyStore('a trunk listens on its address alone, and calls from there', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, kind);
  const listenPort = await freePort();
  const settings = { port: peer.port, ringIn: true, listenPort, listenAddress: '127.0.0.7' };
  const id = await site.create('/providers', trunk(settings));
  const test = () => site.ask<{ ok: boolean; reason: string }>('POST', `/providers/${id}/test`);
  assert.deepEqual(await test(), { ok: true, reason: '' });
  assert.deepEqual(
    [await isTaken(listenPort, 'udp', '127.0.0.7'), await isTaken(listenPort, 'udp', '127.0.0.1')],
    [true, false],
  );
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  const invites = () => peer.received.filter((text) => text.startsWith('INVITE '));
  const [invite = ''] = await until(invites, ({ length }) => length > 0);
  assert.match(invite, new RegExp(`^Via: SIP/2\\.0/UDP 127\\.0\\.0\\.7:${listenPort};`, 'm'));
  assert.match(invite, new RegExp(`^Contact: <sip:tocsin@127\\.0\\.0\\.7:${listenPort}>`, 'm'));
  assert.match(invite, /^c=IN IP4 127\.0\.0\.7\r?$/m);
  await site.alarms.acknowledge(alarm);
  await site.expectWhatRings();
});

testOnAnyStore(
  'an address that this machine lacks is said of the provider, and the server goes on',
  async (t, kind) => {
    const peer = await SipPeer.start(t, { kind: 'ring' });
    const site = await startSite(t, kind);
    const settings = { port: peer.port, ringIn: true, listenPort: await freePort(), listenAddress: '192.0.2.7' };
    const id = await site.create('/providers', trunk(settings));
    const test = () => site.ask<{ ok: boolean; reason: string }>('POST', `/providers/${id}/test`);
    const reason = 'the PBX cannot be reached: this machine has no address 192.0.2.7';
    assert.deepEqual(await test(), { ok: false, reason });
    const { health } = await site.ask<{ health: object }>('GET', `/providers/${id}`);
    assert.partialDeepStrictEqual(health, { state: 'down', reason });
    const ringIn = (await site.alarms.fromTocsin()).find(({ path }) => path === `system/provider/${id}/ring-in`);
    assert.match(String(ringIn?.message), /this machine has no address 192\.0\.2\.7/);
    await site.ask('PUT', `/providers/${id}`, trunk({ ...settings, listenAddress: '127.0.0.7' }));
    assert.deepEqual(await test(), { ok: true, reason: '' });
    await site.expectWhatRings();
  },
);

test('a call of a process that is gone is released from the address that it was placed from', async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const trunk = { host: '127.0.0.1', port: peer.port };
  const [localAddress, port] = ['127.0.0.7', await freePort()];
  const gone = await UserAgent.start({ localAddress, listen: [{ protocol: 'udp', address: localAddress, port }] });
  const call = gone.invite({ to: '+33100000001', from: 'tocsin', trunk, offer: '' });
  await once(call, 'ringing');
  const ref = refOf(call.save());
  // Its goodbye is lost.
  peer.isDead = true;
  await gone.close({ withinMs: 0 });
  peer.isDead = false;
  const next = await UserAgent.start({ localAddress });
  t.after(() => next.close());
  await new LostCalls(
    async () => next,
    () => ({ trunk }),
    () => localAddress,
  ).release(ref);
  const { method, address, port: from } = peer.requests.at(-1) ?? {};
  assert.deepEqual([method, address, from], ['CANCEL', localAddress, port]);
});

testOnAnyStore('what is no address of a machine is refused by name', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [listenAddress, message] of [
    ['eth0', 'must be an IP address of this machine'],
    ['0.0.0.0', 'must be an IP address of this machine'],
    ['::', 'must be an IP address of this machine'],
    ['2001:db8::7', 'is of IPv6, and host of IPv4'],
  ]) {
    const { status, body } = await site.request('POST', '/providers', trunk({ listenAddress }));
    assert.equal(status, 422, listenAddress);
    assert.match(JSON.stringify(body), new RegExp(`"settings\\.listenAddress"[^}]*${message}`));
  }
});
