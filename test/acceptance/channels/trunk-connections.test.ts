// Trunks by TCP whose connections break: it is the trunk's fault, at once, and the next one is asked.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

/** An exchange on TCP that lets every number ring for ever; the test cuts its connections. */
async function ringingExchange(t: TestContext) {
  const invited = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const text = String(bytes);
      if (/^ACK /.test(text)) return;
      const headers = text.split('\r\n').filter((line) => /^(?:Via|From|To|Call-ID|CSeq):/i.test(line));
      const status = text.startsWith('INVITE') ? '180 Ringing' : '200 OK';
      socket.write(`SIP/2.0 ${status}\r\n${headers.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`);
      if (text.startsWith('INVITE')) invited.add(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => t.after(() => server.close()));
  return { port: (server.address() as AddressInfo).port, invited };
}

testOnAnyStore(
  'a connection that is reset while it rings is the fault of the trunk, and the next one is asked at once',
  async (t, kind) => {
    const exchange = await ringingExchange(t);
    const second = await SipPeer.start(t, { kind: 'respond', status: 486, phrase: 'Busy Here' });
    const site = await startSite(t, kind);
    const trunk = { channel: 'voice', kind: 'sip' };
    const by = (port: number, transport: string) => ({ host: '127.0.0.1', port, transport, user: 'tocsin' });
    await site.create('/providers', { ...trunk, name: 'First', order: 1, settings: by(exchange.port, 'tcp') });
    await site.create('/providers', { ...trunk, name: 'Second', order: 2, settings: by(second.port, 'udp') });
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group, { priority: 3 });
    await until(
      () => exchange.invited.size,
      (size) => size > 0,
    );
    for (const socket of exchange.invited) socket.resetAndDestroy();
    const rows = async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items;
    const [row] = await until(rows, ([first]) => first?.endTime !== undefined);
    assert.deepEqual([row?.attempt, row?.outcome, row?.provider], [1, 'busy', 'Second']);
    await site.expectWhatRings();
  },
);
