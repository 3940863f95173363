// Somebody who rings in by SIP over UDP, from an address of this machine: many calls, each with the number that it shows.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { until } from '../until.ts';
import { peerSdp } from './sip-peer.ts';

export class RingInCaller {
  readonly #socket: Socket;
  readonly #port: number;
  readonly #statuses = new Map<string, number[]>();
  /** The header To of each call that was answered, with the tag of the other side. */
  readonly #answered = new Map<string, string>();
  #sequence = 1;

  private constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#port = port;
    socket.on('message', (bytes) => this.#receive(String(bytes)));
  }

  /** `port`: where the trunk listens. */
  static async start(t: TestContext, port: number, address = '127.0.0.1'): Promise<RingInCaller> {
    const socket = createSocket('udp4').bind(0, address);
    await once(socket, 'listening');
    t.after(() => t.after(() => void socket.close()));
    return new RingInCaller(socket, port);
  }

  /** Rings and does not wait; `call` names the call. */
  invite(call: string, from = '33123456789'): void {
    this.#send('INVITE', call, { from, type: 'application/sdp', body: peerSdp(9) });
  }

  cancel(call: string): void {
    this.#send('CANCEL', call);
  }

  /** Confirms the answer, so that the conversation begins. */
  confirm(call: string): void {
    this.#send('ACK', call);
  }

  /** Presses keys in a call that was confirmed. */
  press(call: string, keys: string): void {
    for (const key of keys) {
      this.#sequence++;
      this.#send('INFO', call, { type: 'application/dtmf-relay', body: `Signal=${key}\r\nDuration=160\r\n` });
    }
  }

  hangUp(call: string): void {
    this.#sequence++;
    this.#send('BYE', call);
  }

  /** Resolves with the first status from `least` on. */
  async statusOf(call: string, least = 180): Promise<number> {
    const found = () => (this.#statuses.get(call) ?? []).find((status) => status >= least);
    return (await until(found, (status) => status !== undefined)) ?? 0;
  }

  #receive(text: string): void {
    const [, status = '', call = ''] = /^SIP\/2\.0 (\d{3})[\s\S]*^Call-ID: (\S+)/im.exec(text) ?? [];
    this.#statuses.set(call, [...(this.#statuses.get(call) ?? []), Number(status)]);
    const [, to] = /^To: (.*?)\r?$/m.exec(text) ?? [];
    if (status === '200' && to !== undefined && /^CSeq: 1 INVITE/m.test(text)) this.#answered.set(call, to);
  }

  #send(method: string, call: string, { from = '33123456789', type = '', body = '' } = {}): void {
    const { address, port } = this.#socket.address();
    const isFirst = method === 'INVITE' || method === 'CANCEL' || method === 'ACK';
    const sequence = isFirst ? 1 : this.#sequence;
    const branch = method === 'INVITE' || method === 'CANCEL' ? call : `${call}-${method}-${sequence}`;
    const lines = [
      `${method} sip:tocsin@127.0.0.1:${this.#port} SIP/2.0`,
      `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK-${branch}`,
      `From: <sip:${from}@${address}>;tag=${call}`,
      `To: ${this.#answered.get(call) ?? '<sip:tocsin@127.0.0.1>'}`,
      `Call-ID: ${call}`,
      `CSeq: ${sequence} ${method}`,
      `Contact: <sip:caller@${address}:${port}>`,
      'Max-Forwards: 70',
      ...(type === '' ? [] : [`Content-Type: ${type}`]),
      `Content-Length: ${body.length}`,
    ];
    this.#socket.send([...lines, '', body].join('\r\n'), this.#port, '127.0.0.1');
  }
}
