// A telephone exchange that speaks SIP over UDP, under the control of a test: it rings, answers, presses keys and refuses.

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { until } from '../until.ts';

/** The response to every call; undefined: none at all. */
export type SipAnswer =
  | { readonly kind: 'ring' }
  /** Responds to each call as the telephone with that number does. */
  | { readonly kind: 'script'; responses(number: string, invite: string): readonly SipResponse[] }
  | { readonly kind: 'respond'; readonly status: number; readonly phrase: string; readonly isChallenged?: true }
  | { readonly kind: 'silence' };

export type SipResponse = { readonly status: string; readonly type?: string; readonly body?: string };

type PeerCall = {
  readonly invite: string;
  readonly from: RemoteInfo;
  state: 'ringing' | 'answered' | 'over';
  sequence: number;
};

const challenge = 'Proxy-Authenticate: Digest realm="peer", nonce="4711", algorithm=MD5, qop="auth"';

export class SipPeer {
  /** Everything it was sent, as text. */
  readonly received: string[] = [];
  /** Every request, with the address and port that it came from. */
  readonly requests: {
    readonly method: string;
    readonly callId: string;
    readonly address: string;
    readonly port: number;
  }[] = [];
  /** The contacts that were registered, one for each request. */
  readonly registrations: string[] = [];
  /** Whether it refuses every password of an account that is to be registered. */
  refusesAccounts = false;
  /** Whether it responds to nothing at all. */
  isDead = false;
  readonly #calls = new Map<string, PeerCall>();
  readonly #socket: Socket;
  readonly #audio: Socket;
  readonly #answer: SipAnswer;
  #mostAtOnce = 0;

  private constructor(socket: Socket, audio: Socket, answer: SipAnswer) {
    this.#socket = socket;
    this.#audio = audio;
    this.#answer = answer;
    socket.on('message', (bytes, from) => this.#receive(bytes.toString('latin1'), from));
  }

  static async start(t: TestContext, answer: SipAnswer): Promise<SipPeer> {
    const sockets = [createSocket('udp4'), createSocket('udp4')] as const;
    for (const socket of sockets) {
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      // Added from within a hook, so that the server, which says goodbye to its calls, stops before.
      t.after(() => t.after(() => void socket.close()));
    }
    return new SipPeer(...sockets, answer);
  }

  get port(): number {
    return (this.#socket.address() as AddressInfo).port;
  }

  /** The port to which the telephones want their sound. */
  get audioPort(): number {
    return (this.#audio.address() as AddressInfo).port;
  }

  /** Resolves with the bytes of the next packet of sound that comes. */
  async nextSound(): Promise<number> {
    const [bytes] = await once(this.#audio, 'message');
    return (bytes as Buffer).length;
  }

  /** The numbers that were called, in order, each as often as it was. */
  get dialled(): readonly string[] {
    return [...this.#calls.values()].map(({ invite }) => numberIn(invite));
  }

  /** The methods of the requests in the call with a number, in order, repetitions left out. */
  methodsOf(number: string): readonly string[] {
    const ids = [...this.#calls].flatMap(([id, { invite }]) => (numberIn(invite) === number ? [id] : []));
    const requests = this.received.filter((text) => ids.includes(headerOf(text, 'Call-ID') ?? ''));
    return [...new Set(requests.map((text) => text.split(' ', 1)[0] ?? ''))];
  }

  get calls(): number {
    return this.#calls.size;
  }

  /** The most calls that rang or were answered at the same time. */
  get mostAtOnce(): number {
    return this.#mostAtOnce;
  }

  /** The reasons with which calls were cancelled before they were answered; empty texts for none. */
  get cancelReasons(): readonly string[] {
    const cancels = this.received.filter((text) => text.startsWith('CANCEL '));
    return cancels.map((text) => headerOf(text, 'Reason') ?? '');
  }

  /** Picks up every telephone that rings. */
  pickUp(): void {
    const responses = [{ status: '200 OK', body: peerSdp(this.audioPort) }];
    for (const call of this.#ringing()) this.#play(call, responses);
  }

  /** Tells every telephone that rings to say that it is busy. */
  rejectAll(): void {
    for (const call of this.#ringing()) {
      call.state = 'over';
      this.#respond(call.invite, call.from, '486 Busy Here');
    }
  }

  /** Sends a tenth of a second of sound in every call that was answered. */
  sendSound(): void {
    for (const { invite, state } of this.#calls.values()) {
      const port = Number(/^m=audio (\d+)/m.exec(invite)?.[1]);
      if (state !== 'answered') continue;
      for (let sequence = 0; sequence < 5; sequence++) {
        const packet = rtpPacket(8, sequence, sequence * 160, new Uint8Array(160).fill(0xd5));
        this.#audio.send(packet, port, '127.0.0.1');
      }
    }
  }

  /** Presses a key in every call that was answered, in as many copies as a network that repeats packets delivers. */
  press(key: string, copies = 1): void {
    for (const [id, call] of this.#calls) {
      if (call.state !== 'answered') continue;
      const request = this.#keyRequest(id, call, key);
      for (let copy = 0; copy < copies; copy++) this.#socket.send(request, call.from.port, call.from.address);
    }
  }

  /** Hangs up every call that was answered. */
  hangUp(): void {
    for (const [id, call] of this.#calls) {
      if (call.state !== 'answered') continue;
      call.state = 'over';
      this.#socket.send(this.#requestIn(id, call, 'BYE'), call.from.port, call.from.address);
    }
  }

  /** Presses a key again and again until no call is under way, as people do who cannot know when a key counts. */
  async pressUntilOver(key: string, copies = 1): Promise<void> {
    const pressing = setInterval(() => this.press(key, copies), 1_500);
    this.press(key, copies);
    await until(
      () => this.#underWay(),
      (calls) => calls === 0,
    ).finally(() => clearInterval(pressing));
  }

  #ringing(): readonly PeerCall[] {
    return [...this.#calls.values()].filter(({ state }) => state === 'ringing');
  }

  #receive(text: string, from: RemoteInfo): void {
    this.received.push(text);
    if (this.isDead) return;
    const [method = ''] = text.split(' ', 1);
    this.requests.push({ method, callId: headerOf(text, 'Call-ID') ?? '', address: from.address, port: from.port });
    const call = this.#calls.get(headerOf(text, 'Call-ID') ?? '');
    if (method === 'OPTIONS') this.#respond(text, from, '200 OK');
    else if (method === 'REGISTER') this.#register(text, from);
    else if (method === 'INVITE') this.#invited(text, from);
    else if (method === 'BYE') this.#respond(text, from, '200 OK');
    else if (method === 'CANCEL') {
      this.#respond(text, from, '200 OK');
      if (call?.state === 'ringing') this.#respond(call.invite, call.from, '487 Request Terminated');
    }
    if (call !== undefined && (method === 'BYE' || method === 'CANCEL')) call.state = 'over';
  }

  #register(text: string, from: RemoteInfo): void {
    if (this.refusesAccounts) {
      this.#respond(text, from, '401 Unauthorized', [challenge.replace('Proxy', 'WWW')]);
      return;
    }
    this.registrations.push(headerOf(text, 'Contact') ?? '');
    this.#respond(text, from, '200 OK', ['Expires: 60']);
  }

  #invited(text: string, from: RemoteInfo): void {
    const id = headerOf(text, 'Call-ID') ?? '';
    const answer = this.#answer;
    const isSigned = headerOf(text, 'Proxy-Authorization') !== undefined;
    const isNew = !this.#calls.has(id);
    const state = answer.kind === 'respond' || answer.kind === 'silence' ? 'over' : 'ringing';
    if (isNew) this.#calls.set(id, { invite: text, from, state, sequence: 0 });
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#underWay());
    if (answer.kind === 'ring' && isNew) {
      this.#respond(text, from, '100 Trying');
      this.#respond(text, from, '180 Ringing');
    }
    const call = this.#calls.get(id);
    if (answer.kind === 'script' && isNew && call !== undefined)
      this.#play(call, answer.responses(numberIn(text), text));
    if (answer.kind !== 'respond') return;
    if (answer.isChallenged && !isSigned) this.#respond(text, from, '407 Proxy Authentication Required', [challenge]);
    else this.#respond(text, from, `${answer.status} ${answer.phrase}`);
  }

  #play(call: PeerCall, responses: readonly SipResponse[]): void {
    for (const { status, type = 'application/sdp', body = '' } of responses) {
      if (status.startsWith('200')) call.state = 'answered';
      this.#respond(call.invite, call.from, status, body === '' ? [] : [`Content-Type: ${type}`], body);
    }
  }

  #underWay(): number {
    return [...this.#calls.values()].filter(({ state }) => state !== 'over').length;
  }

  #respond(request: string, to: RemoteInfo, status: string, more: readonly string[] = [], body = ''): void {
    const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerOf(request, name)}`);
    const called = headerOf(request, 'To') ?? '';
    const tag = status.startsWith('100') || called.includes(';tag=') ? '' : ';tag=peer';
    const lines = [`SIP/2.0 ${status}`, ...copied, `To: ${called}${tag}`, `Contact: <sip:peer@127.0.0.1:${this.port}>`];
    const text = [...lines, ...more, `Content-Length: ${body.length}`, '', body].join('\r\n');
    this.#socket.send(text, to.port, to.address);
  }

  #keyRequest(id: string, call: PeerCall, key: string): string {
    return this.#requestIn(id, call, 'INFO', ['application/dtmf-relay', `Signal=${key}\r\nDuration=160\r\n`]);
  }

  #requestIn(id: string, call: PeerCall, method: string, content?: readonly [type: string, body: string]): string {
    const target = /<([^>]+)>/.exec(headerOf(call.invite, 'Contact') ?? '')?.[1] ?? '';
    const sequence = ++call.sequence;
    const [type, body = ''] = content ?? [];
    return [
      `${method} ${target} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${this.port};branch=z9hG4bK-${id}-${sequence}`,
      `From: ${headerOf(call.invite, 'To')};tag=peer`,
      `To: ${headerOf(call.invite, 'From')}`,
      `Call-ID: ${id}`,
      `CSeq: ${sequence} ${method}`,
      'Max-Forwards: 70',
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  }
}

function rtpPacket(type: number, sequence: number, timestamp: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0x8000 | type, 0);
  head.writeUInt16BE(sequence, 2);
  head.writeUInt32BE(timestamp, 4);
  head.writeUInt32BE(7, 8);
  return Buffer.concat([head, payload]);
}

/** The description of a telephone that speaks G.711. */
export function peerSdp(port: number): string {
  const lines = ['o=peer 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', `m=audio ${port} RTP/AVP 8`];
  return ['v=0', ...lines, ''].join('\r\n');
}

function numberIn(invite: string): string {
  return /^INVITE sip:([^@]+)@/.exec(invite)?.[1] ?? '';
}

function headerOf(text: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(text)?.[1];
}
