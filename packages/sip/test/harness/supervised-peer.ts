// Stands before SIPp and keeps from it what its scenarios cannot expect: the supervision of its trunk, which it takes for a call
// that has failed, and requests that are repeated because this machine is slow.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type SupervisedPeer = { readonly port: number; close(): void };

/** Passes datagrams on in both directions; those of a call go back to whoever sent the last of that call. */
export async function superviseForPeer(peerPort: number, address: string): Promise<SupervisedPeer> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const passedOn = new Set<string>();
  const senders = new Map<string, { readonly address: string; readonly port: number }>();
  socket.on('message', (bytes, source) => {
    const text = bytes.toString('latin1');
    const callId = headerOf(text, 'Call-ID');
    if (source.port === peerPort) {
      const sender = senders.get(callId);
      if (sender !== undefined) socket.send(bytes, sender.port, sender.address);
      return;
    }
    if (text.startsWith('OPTIONS ')) return socket.send(okTo(text), source.port, source.address);
    senders.set(callId, source);
    // A repetition is the same to the byte.
    if (passedOn.has(text) && !text.startsWith('ACK ')) return;
    passedOn.add(text);
    socket.send(bytes, peerPort, address);
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  return { port: socket.address().port, close: () => socket.close() };
}

function okTo(request: string): string {
  const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerOf(request, name)}`);
  return ['SIP/2.0 200 OK', ...copied, 'Content-Length: 0', '', ''].join('\r\n');
}

function headerOf(message: string, name: string): string {
  return new RegExp(`^${name}: *(.+?)\\r?$`, 'm').exec(message)?.[1] ?? '';
}
