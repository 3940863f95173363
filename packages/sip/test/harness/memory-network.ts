// A network without sockets: notes what is sent, and delivers what a test has the peer say.

import assert from 'node:assert/strict';
import { HeaderFields } from '../../src/message/header-fields.ts';
import type { SipMessage, SipRequest, SipResponse } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parser.ts';
import { printMessage } from '../../src/message/printer.ts';
import { responseTo } from '../../src/message/response.ts';
import type { Address, Flow, Network, Protocol, Receiver } from '../../src/transport/network.ts';
import { UserAgent, type UserAgentOptions } from '../../src/user-agent/user-agent.ts';
import { FakeTimers } from './fake-timers.ts';

export type Sent = {
  readonly at: number;
  readonly message: SipMessage;
  readonly bytes: Buffer;
  readonly to: Address;
};

export class MemoryNetwork implements Network {
  readonly sent: Sent[] = [];
  readonly timers = new FakeTimers();
  readonly #protocol: Protocol;
  #receiver: Receiver | undefined;
  /** When set, nothing can be opened. */
  isDown = false;
  /** When set, flows cannot say their local address any more, as those of a socket that was closed. */
  hasNoAddress = false;

  constructor(protocol: Protocol = 'udp') {
    this.#protocol = protocol;
  }

  /** A user agent on this network and its clock. */
  agent(options: UserAgentOptions = {}): Promise<UserAgent> {
    return UserAgent.start({
      timers: this.timers,
      network: (receiver) => {
        this.#receiver = receiver;
        return this;
      },
      ...options,
    });
  }

  async open({ host, port }: { host: string; port: number }): Promise<Flow> {
    if (this.isDown) throw new Error('connection refused');
    return this.flow({ address: host, port });
  }

  flow(remote: Address): Flow {
    const flow: Flow = {
      protocol: this.#protocol,
      remote,
      local: async () => {
        if (this.hasNoAddress) throw new Error('the socket is closed');
        return { address: '192.0.2.1', port: 5060 };
      },
      send: async (bytes) => {
        const message = parseMessage(bytes);
        assert.ok(message.kind !== 'malformed', bytes.toString());
        this.sent.push({ at: this.timers.now(), message, bytes, to: remote });
      },
      withPort: (port) => this.flow({ ...remote, port }),
    };
    return flow;
  }

  /** Has the peer say something. */
  async deliver(message: SipMessage | Buffer): Promise<void> {
    const bytes = Buffer.isBuffer(message) ? message : printMessage(message);
    this.#receiver?.onBytes(bytes, this.flow({ address: '192.0.2.9', port: 5060 }));
    await this.timers.advance(0);
  }

  requests(method: string): SipRequest[] {
    return this.sent.flatMap(({ message }) =>
      message.kind === 'request' && message.method === method ? [message] : [],
    );
  }

  responses(status: number): SipResponse[] {
    return this.sent.flatMap(({ message }) =>
      message.kind === 'response' && message.status === status ? [message] : [],
    );
  }

  /** The last request of that method. */
  last(method: string): SipRequest {
    const request = this.requests(method).at(-1);
    assert.ok(request !== undefined, `no ${method} was sent`);
    return request;
  }

  /** When messages of that kind were sent, in milliseconds after the first. */
  timesOf(name: string | number): number[] {
    const is = (message: SipMessage) => (message.kind === 'request' ? message.method : message.status) === name;
    const times = this.sent.filter(({ message }) => is(message)).map(({ at }) => at);
    return times.map((at) => at - (times[0] ?? 0));
  }

  /** Has the peer answer the last request of that method. */
  async answer(method: string, status: number, parts: AnswerParts = {}): Promise<void> {
    const { tag = 'peer', headers = {}, body = '', to = this.last(method) } = parts;
    const contact = {
      Contact: '<sip:peer@192.0.2.9>',
      ...(body !== '' && { 'Content-Type': 'application/sdp' }),
      ...headers,
    };
    await this.deliver(
      responseTo(to, status, { toTag: tag, headers: HeaderFields.of(contact), body: Buffer.from(body) }),
    );
  }

  async close(): Promise<void> {}

  /** Closes an agent, whose farewells nobody answers. */
  async closeAgent(agent: UserAgent): Promise<void> {
    const closing = agent.close();
    await this.timers.advance(3_000);
    await closing;
  }
}

export type AnswerParts = {
  readonly tag?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Another request than the last one. */
  readonly to?: SipRequest;
};

/** A request of the peer in the dialog of a call that was placed here. */
export function peerRequest(method: string, invite: SipRequest, seq: number, parts: AnswerParts = {}): SipRequest {
  const { tag = 'peer', headers = {}, body = '' } = parts;
  return {
    kind: 'request',
    method,
    uri: 'sip:2000@192.0.2.1:5060',
    maxForwards: 70,
    vias: [viaOfPeer()],
    from: { ...invite.to, parameters: new Map([['tag', tag]]) },
    to: invite.from,
    callId: invite.callId,
    cseq: { number: seq, method },
    headers: HeaderFields.of({ Contact: '<sip:peer@192.0.2.9>', ...headers }),
    body: Buffer.from(body),
  };
}

let branches = 0;

export function viaOfPeer() {
  branches += 1;
  const parameters = new Map([['branch', `z9hG4bKpeer${branches}`]]);
  return { protocol: 'UDP', host: '192.0.2.9', port: 5060, parameters };
}

/** An INVITE of the peer. */
export function peerInvite(changes: Partial<SipRequest> = {}): SipRequest {
  return {
    kind: 'request',
    method: 'INVITE',
    uri: 'sip:2000@192.0.2.1:5060',
    maxForwards: 70,
    vias: [viaOfPeer()],
    from: { uri: 'sip:1000@192.0.2.9', parameters: new Map([['tag', 'caller']]) },
    to: { uri: 'sip:2000@192.0.2.1', parameters: new Map() },
    callId: `incoming-${branches}`,
    cseq: { number: 1, method: 'INVITE' },
    headers: HeaderFields.of({ Contact: '<sip:1000@192.0.2.9>', 'Content-Type': 'application/sdp' }),
    body: Buffer.from('v=0\r\n'),
    ...changes,
  };
}
