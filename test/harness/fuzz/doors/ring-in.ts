// People and strangers who ring in by SIP, over UDP and TCP: requests and bodies with mistakes, inside and outside of calls, and RTP.

import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../packages/sip/test/harness/ports.ts';
import type { Chance } from '../../chance.ts';
import { until } from '../../until.ts';
import type { Door, DoorSite } from '../fuzz-site.ts';
import { mutated } from '../mutate.ts';
import { type SipCall, type SipContent, sdp, sipHeader, sipRequest, sipResponse } from '../sip-text.ts';

const mostCalls = 6;
/** After so many requests in a call it is hung up, so that others find a line. */
const mostInCall = 40;
/** Datagrams that are sent in a row would be lost in the buffers of the system. */
const together = 10;

type Wire = {
  readonly host: string;
  readonly port: number;
  readonly transport: 'UDP' | 'TCP';
  send(bytes: Buffer): void;
  /** Gets each message that comes, as text. */
  onText: (text: string) => void;
  close(): void;
};

async function udpWire(port: number, host: string): Promise<Wire> {
  const socket = createSocket('udp4').bind(0, host);
  await once(socket, 'listening');
  const wire: Wire = {
    host,
    port: socket.address().port,
    transport: 'UDP',
    send: (bytes) => socket.send(bytes.subarray(0, 60_000), port, '127.0.0.1', () => {}),
    onText: () => {},
    close: () => socket.close(),
  };
  socket.on('message', (bytes) => wire.onText(String(bytes)));
  return wire;
}

/** A connection that the server closes is made again. */
async function tcpWire(port: number): Promise<Wire> {
  let socket: Socket;
  const open = (): void => {
    socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const text of String(bytes).split(/(?=SIP\/2\.0 \d{3} )/)) wire.onText(text);
    });
  };
  const wire: Wire = {
    host: '127.0.0.1',
    port: 5060,
    transport: 'TCP',
    send(bytes) {
      if (socket.destroyed || !socket.writable) open();
      socket.write(bytes);
    },
    onText: () => {},
    close: () => socket.destroy(),
  };
  open();
  return wire;
}

type Talk = { readonly call: SipCall; sequence: number; sent: number };

/** Calls that are made over one wire, and those of them that were answered. */
class Callers {
  readonly #wire: Wire;
  readonly #target: string;
  readonly #talks: Talk[] = [];
  readonly #rung = new Map<string, SipCall>();
  readonly #prefix: string;
  #last = 0;

  constructor(wire: Wire, port: number, prefix: string) {
    this.#wire = wire;
    this.#target = `sip:tocsin@127.0.0.1:${port}`;
    this.#prefix = prefix;
    wire.onText = (text) => this.#hear(text);
  }

  /** Sends the next request, with mistakes. */
  send(chance: Chance, others: readonly Buffer[]): Buffer {
    const bytes = mutated(this.#next(chance), chance, others);
    this.#wire.send(bytes);
    return bytes;
  }

  hangUp(): void {
    for (const talk of this.#talks.splice(0)) this.#bye(talk);
  }

  #hear(text: string): void {
    if (!/^SIP\/2\.0 200 [\s\S]*^CSeq: 1 INVITE/m.test(text)) return;
    const id = sipHeader(text, 'Call-ID') ?? '';
    const rung = this.#rung.get(id);
    const to = sipHeader(text, 'To');
    if (rung === undefined || to === undefined) return;
    this.#rung.delete(id);
    const call = { ...rung, to };
    this.#wire.send(Buffer.from(sipRequest(call, 'ACK', 1)));
    this.#talks.push({ call, sequence: 1, sent: 0 });
  }

  #next(chance: Chance): string {
    const talk = this.#talks.length > 0 && chance.percent(70) ? chance.pick(this.#talks) : undefined;
    if (talk === undefined) return this.#outside(chance);
    talk.sent += 1;
    talk.sequence += 1;
    if (talk.sent > mostInCall) {
      this.#talks.splice(this.#talks.indexOf(talk), 1);
      this.#bye(talk);
    }
    return sipRequest(talk.call, ...inCall(chance, talk.sequence));
  }

  #bye({ call, sequence }: Talk): void {
    this.#wire.send(Buffer.from(sipRequest(call, 'BYE', sequence + 10_000)));
  }

  #outside(chance: Chance): string {
    this.#last += 1;
    const id = `${this.#prefix}-${this.#last}`;
    const { host, port, transport } = this.#wire;
    const from = `"Fuzz \\" er" <sip:331${chance.int(0, 1_000)}@${host}>;tag=${id}`;
    const call = { id, host, port, transport, target: this.#target, from, to: '<sip:tocsin@127.0.0.1>' };
    const kind = chance.int(0, 100);
    if (kind < 50) {
      if (this.#talks.length < mostCalls) this.#rung.set(id, call);
      const content = kind < 40 ? { type: 'application/sdp', body: sdp(9) } : undefined;
      return sipRequest(call, 'INVITE', 1, content);
    }
    if (kind < 60) return sipResponse(sipRequest(call, 'INVITE', 1), '200 OK', [], { body: sdp(9) });
    if (kind < 70) {
      const [ringing] = this.#rung.values();
      return sipRequest(ringing ?? call, 'CANCEL', 1);
    }
    const methods = ['OPTIONS', 'REGISTER', 'BYE', 'SUBSCRIBE', 'MESSAGE', 'ACK', 'UPDATE', 'PRACK', 'REFER'];
    return sipRequest(call, chance.pick(methods), 1);
  }
}

function inCall(chance: Chance, sequence: number): [method: string, sequence: number, content?: SipContent] {
  const key = {
    type: 'application/dtmf-relay',
    body: `Signal=${chance.pick(['1', '#', '*', '5'])}\r\nDuration=160\r\n`,
  };
  const offer = { type: 'application/sdp', body: sdp(9, ['a=sendrecv', 'a=rtcp:9 IN IP4 127.0.0.1']) };
  return chance.pick<[method: string, sequence: number, content?: SipContent]>([
    ['INFO', sequence, key],
    ['INFO', sequence, key],
    ['INFO', sequence, { type: 'application/dtmf', body: '1' }],
    ['INVITE', sequence, offer],
    ['INVITE', sequence],
    ['UPDATE', sequence, offer],
    ['OPTIONS', sequence],
    ['ACK', sequence, offer],
    ['MESSAGE', sequence, { type: 'text/plain', body: 'hello' }],
  ]);
}

/** Works with a trunk on which people ring in, at a port of its own. */
async function onTrunk(
  site: DoorSite,
  transport: 'udp' | 'tcp',
  work: (port: number) => Promise<number>,
): Promise<number> {
  const listenPort = await freePort();
  const port = await freePort();
  const settings = { host: '127.0.0.1', port, transport, user: 'tocsin', ringIn: true, listenPort };
  const id = await site.caller.create('/providers', {
    name: `Fuzz ${transport} ${listenPort}`,
    channel: 'voice',
    kind: 'sip',
    settings,
  });
  await (transport === 'udp' ? untilAnswered(listenPort) : untilAccepted(listenPort));
  const sent = await work(listenPort);
  await site.caller.ask('DELETE', `/providers/${id}`);
  return sent;
}

async function untilAccepted(port: number): Promise<void> {
  const isAccepted = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return connected;
  };
  await until(isAccepted, Boolean);
}

async function untilAnswered(port: number): Promise<void> {
  const wire = await udpWire(port, '127.0.0.1');
  let hasAnswered = false;
  wire.onText = () => {
    hasAnswered = true;
  };
  const call = { ...wire, id: 'first', target: `sip:127.0.0.1:${port}`, from: '<sip:a@b>;tag=1', to: '<sip:c@d>' };
  const ask = (): boolean => {
    if (!hasAnswered) wire.send(Buffer.from(sipRequest(call, 'OPTIONS', 1)));
    return hasAnswered;
  };
  await until(ask, Boolean);
  wire.close();
}

async function sendAll(wires: readonly Wire[], port: number, chance: Chance, count: number): Promise<number> {
  const callers = wires.map((wire, index) => new Callers(wire, port, `fuzz${index}x${chance.int(0, 1_000_000)}`));
  const others: Buffer[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const bytes = chance.pick(callers).send(chance, others);
    if (others.length < 30) others.push(bytes);
    if (sent % together === 0) await pause(1);
  }
  for (const one of callers) one.hangUp();
  for (const wire of wires) wire.close();
  return count;
}

export const sipOverUdp: Door = {
  name: 'SIP over UDP, people and strangers who ring in',
  run: (site, chance, count) =>
    onTrunk(site, 'udp', async (port) => {
      // Of the trunk, and strangers.
      const wires = await Promise.all(['127.0.0.1', '127.0.0.1', '127.0.0.2'].map((host) => udpWire(port, host)));
      return sendAll(wires, port, chance, count);
    }),
};

export const sipOverTcp: Door = {
  name: 'SIP over TCP, people and strangers who ring in',
  run: (site, chance, count) =>
    onTrunk(site, 'tcp', async (port) =>
      sendAll(await Promise.all([tcpWire(port), tcpWire(port)]), port, chance, count),
    ),
};

/** Sound, keys, reports and noise as they come to the port of a call. */
function soundSamples(sequence: number): readonly Buffer[] {
  const rtp = (type: number, payload: Buffer, first = 0x80): Buffer => {
    const head = Buffer.alloc(12);
    head[0] = first;
    head[1] = type;
    head.writeUInt16BE(sequence & 0xffff, 2);
    head.writeUInt32BE((sequence * 160) >>> 0, 4);
    head.writeUInt32BE(7, 8);
    return Buffer.concat([head, payload]);
  };
  return [
    rtp(8, Buffer.alloc(160, 0xd5)),
    rtp(0, Buffer.alloc(160, 0xff)),
    rtp(8, Buffer.alloc(1_400, sequence & 0xff)),
    rtp(101, Buffer.from([sequence % 16, 0x8a, 0, 160])),
    rtp(0x80 | 101, Buffer.from([sequence % 12, 0x0a, 1, 64])),
    rtp(13, Buffer.from([40])),
    rtp(8, Buffer.alloc(160, 0xd5), 0xb2),
    Buffer.from('80c80006000000070000000000000000000000000000000000000000', 'hex'),
    Buffer.from('000100002112a442000102030405060708090a0b', 'hex'),
  ];
}

type Answered = { readonly call: SipCall; readonly media: number };

/** Rings in and confirms, so that sound is awaited. */
async function answeredCall(wire: Wire, port: number, audio: UdpSocket, id: string): Promise<Answered> {
  const { host, transport } = wire;
  const from = `<sip:33123@127.0.0.1>;tag=${id}`;
  const target = `sip:tocsin@127.0.0.1:${port}`;
  const call = { id, host, port: wire.port, transport, target, from, to: '<sip:tocsin@127.0.0.1>' };
  let answer = '';
  wire.onText = (text) => {
    if (/^SIP\/2\.0 200 [\s\S]*^CSeq: 1 INVITE/m.test(text) && text.includes(id)) answer = text;
  };
  const description = { type: 'application/sdp', body: sdp((audio.address() as AddressInfo).port) };
  wire.send(Buffer.from(sipRequest(call, 'INVITE', 1, description)));
  await until(() => answer, Boolean);
  const answered = { ...call, to: sipHeader(answer, 'To') ?? '' };
  wire.send(Buffer.from(sipRequest(answered, 'ACK', 1)));
  return { call: answered, media: Number(/^m=audio (\d+)/m.exec(answer)?.[1]) };
}

/** A conversation ends after three minutes at the latest, and when nobody says anything. */
const packetsOfCall = 2_000;

export const rtp: Door = {
  name: 'RTP',
  run: (site, chance, count) => onTrunk(site, 'udp', (port) => sendSound(port, chance, count)),
};

async function sendSound(port: number, chance: Chance, count: number): Promise<number> {
  const wire = await udpWire(port, '127.0.0.1');
  const audio = createSocket('udp4').bind(0, '127.0.0.1');
  await once(audio, 'listening');
  let sent = 0;
  while (sent < count) {
    const { call, media } = await answeredCall(wire, port, audio, `rtp${chance.int(0, 1_000_000_000)}`);
    for (let n = 0; n < packetsOfCall && sent < count; n += 1, sent += 1) {
      const samples = soundSamples(n);
      audio.send(mutated(chance.pick(samples), chance, samples), media, '127.0.0.1', () => {});
      await (n % together === 0 ? pause(1) : breath());
    }
    wire.send(Buffer.from(sipRequest(call, 'BYE', 2)));
  }
  audio.close();
  wire.close();
  return sent;
}
