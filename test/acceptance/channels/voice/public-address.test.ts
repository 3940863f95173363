// A trunk behind an address translation that forwards its ports: the exchange is told the public address, for calls and for sound.

import assert from 'node:assert/strict';
import { freePort } from '../../../../packages/sip/test/harness/ports.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { until } from '../../../harness/until.ts';

const trunk = (settings: object) => ({
  ...{ name: 'PBX', channel: 'voice', kind: 'sip', secrets: { password: 'pass-4711' } },
  settings: { host: '127.0.0.1', user: 'tocsin', ...settings },
});

testOnAnyStore('the exchange is told the public address, and is heard on the local one', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, kind);
  const listenPort = await freePort();
  const settings = { port: peer.port, register: true, ringIn: true, listenPort, publicAddress: '203.0.113.5' };
  const id = await site.create('/providers', trunk(settings));
  const contact = `<sip:tocsin@203.0.113.5:${listenPort}>`;
  await until(
    () => peer.registrations,
    (contacts) => contacts.includes(contact),
  );
  assert.deepEqual(await site.ask('POST', `/providers/${id}/test`), { ok: true, reason: '' });
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  const invites = () => peer.received.filter((text) => text.startsWith('INVITE '));
  const [invite = ''] = await until(invites, ({ length }) => length > 0);
  assert.match(invite, new RegExp(`^Via: SIP/2\\.0/UDP 203\\.0\\.113\\.5:${listenPort};`, 'm'));
  assert.ok(invite.includes(`Contact: ${contact}`), invite);
  assert.match(invite, /^o=.* IN IP4 203\.0\.113\.5\r?$/m);
  assert.match(invite, /^c=IN IP4 203\.0\.113\.5\r?$/m);
  peer.pickUp();
  await peer.nextSound();
  await site.alarms.acknowledge(alarm);
  await until(
    () => peer.methodsOf('+33100000001'),
    (methods) => methods.includes('BYE'),
  );
  await site.expectWhatRings();
});

testOnAnyStore('a public name that is not known is said of the provider', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, kind);
  const id = await site.create('/providers', trunk({ port: peer.port, publicAddress: 'nat.invalid' }));
  const { ok, reason } = await site.ask<{ ok: boolean; reason: string }>('POST', `/providers/${id}/test`);
  assert.equal(ok, false);
  assert.match(reason, /^the PBX cannot be reached: the name nat\.invalid (?:is not known|cannot be looked up now)$/);
  for (const [publicAddress, message] of [
    ['0.0.0.0', 'must be the name or IP address of a host'],
    ['203.0.113.305', 'must be the name or IP address of a host'],
    ['nat.example.com:5060', 'must be the name or IP address of a host'],
    ['2001:db8::5', 'is of IPv6, and host of IPv4'],
  ]) {
    const { status, body } = await site.request('POST', '/providers', trunk({ publicAddress }));
    assert.equal(status, 422, publicAddress);
    assert.match(JSON.stringify(body), new RegExp(`"settings\\.publicAddress"[^}]*${message}`));
  }
  await site.expectWhatRings();
});
