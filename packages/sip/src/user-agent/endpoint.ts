// Sends requests: opens the way, writes Via and Contact, answers challenges, and learns the address that peers see.

import type { DigestClient } from '../auth/digest-client.ts';
import { type Guard, guardOf, type OnFault } from '../guard.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { printMessage } from '../message/printer.ts';
import { parseWhole } from '../message/tokens.ts';
import { printUri } from '../message/uri.ts';
import type { ClientEvents, ClientFailure, ClientTransaction } from '../transaction/client-transaction.ts';
import type { Timers, Timing } from '../transaction/timers.ts';
import { newBranch, type TransactionLayer } from '../transaction/transaction-layer.ts';
import {
  type Address,
  type Destination,
  type Flow,
  hostOf,
  isSameFamily,
  type Network,
  type Protocol,
} from '../transport/network.ts';

export type Outcome =
  | { readonly kind: 'response'; readonly response: SipResponse }
  | { readonly kind: 'failure'; readonly failure: ClientFailure; readonly error?: Error };

export type Way = { readonly destination: Destination; readonly switchToTcp?: boolean };

export type Sending = Way & {
  readonly digest: DigestClient;
  /** The number for a request that is sent again with credentials. */
  nextSeq(): number;
  /** The user of the Contact; none is written when it is absent. */
  readonly contactUser?: string;
  /** A way that is used when the first cannot be opened, such as the connection on which the call came. */
  readonly fallback?: Flow;
};

/** How messages present this user agent. */
export type Identity = {
  /** The value of User-Agent. */
  readonly name: string | undefined;
  /** The name or address by which peers reach this machine. */
  readonly publicAddress: string | undefined;
  /** Whether a port that listens takes the requests of such peers: then it is forwarded as it is. */
  listens(protocol: Protocol): boolean;
};

/** The largest request, in bytes, that goes over UDP when there is TCP. */
const largestDatagram = 1_300;

export class Endpoint {
  readonly timers: Timers;
  readonly timing: Timing;
  readonly onFault: OnFault;
  readonly #identity: Identity;
  readonly #network: Network;
  readonly #layer: TransactionLayer;
  /** The addresses of our UDP sockets as peers see them, by peer. */
  readonly #seen = new Map<string, Address>();

  constructor(
    network: Network,
    layer: TransactionLayer,
    { timers, timing, onFault }: { timers: Timers; timing: Timing; onFault: OnFault },
    identity: Identity,
  ) {
    this.#network = network;
    this.#layer = layer;
    this.timers = timers;
    this.timing = timing;
    this.onFault = onFault;
    this.#identity = identity;
  }

  /** Opens the way that a request of this size takes. */
  async open({ destination, switchToTcp }: Way, draft: SipRequest, fallback?: Flow): Promise<Flow> {
    // Via and Contact are not written yet.
    const size = printMessage(draft).length + 200;
    if (destination.protocol === 'udp' && switchToTcp === true && size > largestDatagram) {
      const overTcp = this.#network.open({ ...destination, protocol: 'tcp' });
      const flow = await overTcp.catch(() => undefined);
      if (flow !== undefined) return flow;
    }
    if (fallback === undefined) return this.#network.open(destination);
    return this.#network.open(destination).catch(() => fallback);
  }

  /** The request as it is sent over that flow. */
  async complete(draft: SipRequest, flow: Flow, contactUser?: string): Promise<SipRequest> {
    const { name } = this.#identity;
    const { address, port } = await flow.local();
    const parameters = new Map([
      ['branch', newBranch()],
      ['rport', undefined],
    ]);
    const host = hostOf(this.#publicAddressFor(flow) ?? address);
    const via = { protocol: flow.protocol.toUpperCase(), host, port, parameters };
    const named = name === undefined ? draft.headers : draft.headers.with('User-Agent', name);
    const headers = contactUser === undefined ? named : named.with('Contact', await this.contact(flow, contactUser));
    return { ...draft, vias: [via], headers };
  }

  /** The value of Contact for a flow. */
  async contact(flow: Flow, user: string): Promise<string> {
    const { address, port } = await this.#placeFor(flow);
    const parameters = new Map(flow.protocol === 'udp' ? [] : [['transport', flow.protocol]]);
    return `<${printUri({ scheme: 'sip', user, host: hostOf(address), port, parameters })}>`;
  }

  /** Where the peer of a flow reaches us. */
  async #placeFor(flow: Flow): Promise<Address> {
    const seen = this.#seen.get(peerKey(flow));
    const address = this.#publicAddressFor(flow);
    if (address === undefined) return seen ?? (await flow.local());
    const { port } = this.#identity.listens(flow.protocol) || seen === undefined ? await flow.local() : seen;
    return { address, port };
  }

  #publicAddressFor({ remote }: Flow): string | undefined {
    const { publicAddress } = this.#identity;
    return publicAddress !== undefined && isSameFamily(publicAddress, remote.address) ? publicAddress : undefined;
  }

  /** Sends a request that is complete; its events run under the guard of what it belongs to. */
  transact(request: SipRequest, flow: Flow, events: ClientEvents, guard = this.#guardOf(request)): ClientTransaction {
    const guarded = guardedEvents(events, guard);
    return this.#layer.request(request, flow, {
      onResponse: (response) => {
        this.#learnAddress(response, flow);
        guarded.onResponse(response);
      },
      onFailure: guarded.onFailure,
      onConnectionLost: (error) => guarded.onConnectionLost?.(error),
    });
  }

  #guardOf({ method, callId }: SipRequest): Guard {
    return guardOf(`${method} of ${callId}`, this.onFault);
  }

  openTrunk(destination: Destination): Promise<Flow> {
    return this.#network.open(destination);
  }

  /** Takes over an INVITE that a process which is gone has sent. */
  adopt(invite: SipRequest, flow: Flow, events: ClientEvents, guard: Guard): void {
    this.#layer.adopt(invite, flow, guardedEvents(events, guard));
  }

  /** Sends a request other than INVITE and waits for its final answer, with credentials when they are asked for. */
  async send(draft: SipRequest, sending: Sending): Promise<Outcome> {
    const answered = new Map<string, number>();
    for (let request = draft; ; ) {
      const outcome = await this.#sendOnce(request, sending);
      if (outcome.kind === 'failure' || !isChallenge(outcome.response)) return outcome;
      if (!sending.digest.learn(outcome.response, answered)) return outcome;
      request = { ...draft, cseq: { number: sending.nextSeq(), method: draft.method } };
    }
  }

  async #sendOnce(draft: SipRequest, sending: Sending): Promise<Outcome> {
    try {
      const flow = await this.open(sending, draft, sending.fallback);
      const request = await this.complete(sending.digest.authorize(draft), flow, sending.contactUser);
      return await new Promise((resolve) => {
        this.transact(request, flow, {
          onResponse: (response) => {
            if (response.status >= 200) resolve({ kind: 'response', response });
          },
          onFailure: (failure, error) => resolve({ kind: 'failure', failure, ...(error && { error }) }),
        });
      });
    } catch (error) {
      return { kind: 'failure', failure: 'transport', error: asError(error) };
    }
  }

  #learnAddress({ vias }: SipResponse, flow: Flow): void {
    const parameters = vias[0]?.parameters;
    const [address, port] = [parameters?.get('received'), parseWhole(parameters?.get('rport'), 65_535)];
    if (flow.protocol !== 'udp' || address === undefined || port === undefined) return;
    if (/^[0-9A-Fa-f.:[\]]+$/.test(address))
      this.#seen.set(peerKey(flow), { address: address.replaceAll(/[[\]]/g, ''), port });
  }
}

function guardedEvents(events: ClientEvents, guard: Guard): ClientEvents {
  return {
    onResponse: (response) => guard(() => events.onResponse(response)),
    onFailure: (failure, error) => guard(() => events.onFailure(failure, error)),
    onConnectionLost: (error) => guard(() => events.onConnectionLost?.(error)),
  };
}

function peerKey({ protocol, remote }: Flow): string {
  return `${protocol} ${remote.address} ${remote.port}`;
}

export function isChallenge({ status }: SipResponse): boolean {
  return status === 401 || status === 407;
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
