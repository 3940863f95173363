// The thread of a telephone that picks up and listens: posts its port, and, when asked, the times between the packets that came.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { peerSdp, SipPeer } from '../test/harness/telephone/sip-peer.ts';

async function listen(port: MessagePort): Promise<void> {
  const audio = createSocket('udp4').bind(0, '127.0.0.1');
  await once(audio, 'listening');
  const body = peerSdp((audio.address() as AddressInfo).port);
  const gaps: number[] = [];
  let last = { at: 0, time: Number.NaN };
  audio.on('message', (packet) => {
    const [at, time] = [performance.now(), packet.readUInt32BE(4)];
    if (time - last.time === 160) gaps.push(at - last.at);
    last = { at, time };
  });
  const peer = await SipPeer.start({ after: () => {} } as never, {
    kind: 'script',
    responses: () => [{ status: '200 OK', body }],
  });
  port.on('message', () => port.postMessage(gaps.splice(0)));
  port.postMessage(peer.port);
}

if (parentPort !== null) await listen(parentPort);
