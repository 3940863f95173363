// People who ring in and hang up at once: each frees the line that they took.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { peerSdp } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

testOnAnyStore('callers who hang up early do not block ringing in', async (t, kind) => {
  const site = await startSite(t, kind);
  const [port, listenPort] = [await freePort(), await freePort()];
  // A name, so that it is looked up whether the caller is the trunk.
  const settings = { host: 'localhost', port, user: 'tocsin', ringIn: true, listenPort };
  const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  await until(
    () => site.request('POST', `/providers/${id}/test`),
    ({ status }) => status === 200,
  );
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  const { port: own } = socket.address();
  const statuses = new Map<string, number[]>();
  socket.on('message', (bytes) => {
    const [, status = '', call = ''] = /^SIP\/2\.0 (\d{3})[\s\S]*Call-ID: (\S+)/i.exec(String(bytes)) ?? [];
    statuses.set(call, [...(statuses.get(call) ?? []), Number(status)]);
  });
  const send = (method: string, call: string, body = ''): void =>
    socket.send(
      [
        `${method} sip:tocsin@127.0.0.1:${listenPort} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${own};branch=z9hG4bK-${call}`,
        `From: <sip:33123456789@127.0.0.1>;tag=${call}`,
        'To: <sip:tocsin@127.0.0.1>',
        `Call-ID: ${call}`,
        `CSeq: 1 ${method}`,
        `Contact: <sip:caller@127.0.0.1:${own}>`,
        'Max-Forwards: 70',
        ...(body === '' ? [] : ['Content-Type: application/sdp']),
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
      listenPort,
      '127.0.0.1',
    );
  for (let n = 0; n < 12; n++) {
    const call = `early-${n}`;
    send('INVITE', call, peerSdp(9));
    send('CANCEL', call);
    await until(
      () => statuses.get(call) ?? [],
      (all) => all.some((status) => status >= 400),
    );
  }
  send('INVITE', 'late', peerSdp(9));
  const answers = await until(
    () => statuses.get('late') ?? [],
    (all) => all.some((status) => status >= 180),
  );
  assert.ok(!answers.includes(486), `another caller is busy: ${answers}`);
  send('CANCEL', 'late');
});
