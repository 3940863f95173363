// A range of ports for sound, as a firewall lets pass: calls stay within it, and one that is used up is the trunk's problem alone.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { freePort } from '../../../../packages/sip/test/harness/ports.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { RingInCaller } from '../../../harness/telephone/ring-in-caller.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { until } from '../../../harness/until.ts';

const trunk = (settings: object) => ({
  ...{ name: 'PBX', channel: 'voice', kind: 'sip' },
  settings: { host: '127.0.0.1', user: 'tocsin', ...settings },
});

async function evenPort(): Promise<number> {
  const port = await freePort();
  return port % 2 === 0 ? port : evenPort();
}

async function raiseFor(site: Site, name: string, address: string): Promise<number> {
  const person = await site.person(name, { numbers: [voice(address, { countTry: 1 })] });
  const group = await site.group(`Group of ${name}`, [await site.team(`Team of ${name}`, [person])]);
  return site.alarms.raise(group, { priority: 3, path: `Plant/${name}` });
}

const soundPorts = ({ received }: SipPeer): readonly number[] =>
  received.filter((text) => text.startsWith('INVITE ')).map((text) => Number(/^m=audio (\d+) /m.exec(text)?.[1]));

testOnAnyStore('of a range that is no range the wrong end is named', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [settings, field, message] of [
    [{ rtpPortFrom: 12_000 }, 'rtpPortTo', 'is missing'],
    [{ rtpPortTo: 12_000 }, 'rtpPortFrom', 'is missing'],
    [{ rtpPortFrom: 12_001, rtpPortTo: 12_001 }, 'rtpPortTo', 'leaves a call no even port'],
    [{ rtpPortFrom: 12_010, rtpPortTo: 12_000 }, 'rtpPortTo', 'leaves a call no even port'],
    [{ rtpPortFrom: 80, rtpPortTo: 12_000 }, 'rtpPortFrom', 'from 1024 to 65535'],
  ] as const) {
    const { status, body } = await site.request('POST', '/providers', trunk(settings));
    assert.equal(status, 422, JSON.stringify(settings));
    assert.match(JSON.stringify(body), new RegExp(`"settings\\.${field}"[^}]*${message}`));
  }
  await site.create('/providers', trunk({ rtpPortFrom: 12_001, rtpPortTo: 12_002 }));
});

testOnAnyStore('a call without a free port waits for one, and uses up no try', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, kind);
  const port = await evenPort();
  await site.create('/providers', trunk({ port: peer.port, rtpPortFrom: port, rtpPortTo: port + 1 }));
  const first = await raiseFor(site, 'ana', '+33100000001');
  await until(
    () => peer.dialled.length,
    (calls) => calls === 1,
  );
  const second = await raiseFor(site, 'bea', '+33100000002');
  const [row] = await until(
    async () => (await site.list(`/call/histories?alarmId=${second}`)).items,
    ([one]) => one?.endTime !== undefined,
  );
  const said = `no port from ${port} to ${port + 1} is free for the sound of the call`;
  assert.deepEqual([row?.outcome, row?.detail, peer.dialled], ['providerDown', said, ['+33100000001']]);
  await site.alarms.acknowledge(first);
  await until(
    () => peer.methodsOf('+33100000001'),
    (methods) => methods.includes('CANCEL'),
  );
  // The number, which has one try, is called again, on the port that the first call has left.
  site.app.clock.advance(15_000);
  await site.app.poll();
  await until(
    () => peer.dialled,
    (dialled) => dialled.join() === '+33100000001,+33100000002',
  );
  assert.deepEqual(soundPorts(peer), [port, port]);
  await site.alarms.acknowledge(second);
  await site.expectWhatRings();
});

testOnAnyStore('who rings in while no port is free is busy', async (t, kind) => {
  const site = await startSite(t, kind);
  const [port, listenPort, sound] = [await freePort(), await freePort(), await evenPort()];
  const range = { rtpPortFrom: sound, rtpPortTo: sound };
  const id = await site.create('/providers', trunk({ port, ringIn: true, listenPort, ...range }));
  await until(
    () => site.request('POST', `/providers/${id}/test`),
    ({ status }) => status === 200,
  );
  const other = createSocket('udp4').bind(sound, '127.0.0.1');
  await once(other, 'listening');
  const caller = await RingInCaller.start(t, listenPort);
  caller.invite('first');
  const first = await caller.statusOf('first');
  other.close();
  await once(other, 'close');
  caller.invite('second');
  assert.deepEqual([first, await caller.statusOf('second')], [486, 180]);
  caller.cancel('second');
  await caller.statusOf('second', 400);
});
