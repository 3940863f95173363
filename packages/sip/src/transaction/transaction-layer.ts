// Finds the transaction of each message, makes those that are new, and answers malformed requests.

import { randomBytes } from 'node:crypto';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { tagOf } from '../message/name-address.ts';
import { type Answerable, parseMessage } from '../message/parser.ts';
import { printRefusal } from '../message/printer.ts';
import { branchCookie, branchOf, printVia, type Via, withSource } from '../message/via.ts';
import type { Flow, Receiver } from '../transport/network.ts';
import {
  type ClientEvents,
  type ClientTransaction,
  InviteClientTransaction,
  NonInviteClientTransaction,
} from './client-transaction.ts';
import { InviteServerTransaction, NonInviteServerTransaction, type ServerTransaction } from './server-transaction.ts';
import type { Timers, Timing } from './timers.ts';

/** The user of the transactions. */
export type TransactionUser = {
  onRequest(transaction: ServerTransaction): void;
  /** An ACK that belongs to no transaction: the one for a 2xx. */
  onAck(request: SipRequest, flow: Flow): void;
  /** A connection is gone. */
  onClosed(flow: Flow): void;
};

/** More requests at once are dropped: their senders repeat them. */
const mostServerTransactions = 10_000;

export class TransactionLayer implements Receiver {
  readonly #timers: Timers;
  readonly #timing: Timing;
  readonly #user: TransactionUser;
  readonly #clients = new Map<string, ClientTransaction>();
  readonly #servers = new Map<string, ServerTransaction>();
  /** The keys of server transactions by what a request is even when it comes by two ways. */
  readonly #merges = new Map<string, string>();

  constructor(timers: Timers, timing: Timing, user: TransactionUser) {
    this.#timers = timers;
    this.#timing = timing;
    this.#user = user;
  }

  /** Sends a request, which has its Via already. */
  request(request: SipRequest, flow: Flow, events: ClientEvents): ClientTransaction {
    const transaction = this.#client(request, flow, events);
    transaction.start();
    return transaction;
  }

  /** Waits for the answers to an INVITE that was sent before this process began. */
  adopt(invite: SipRequest, flow: Flow, events: ClientEvents): void {
    this.#client(invite, flow, events).adopt();
  }

  #client(request: SipRequest, flow: Flow, events: ClientEvents): ClientTransaction {
    const key = clientKey(request.vias[0], request.method);
    const Kind = request.method === 'INVITE' ? InviteClientTransaction : NonInviteClientTransaction;
    const transaction = new Kind({
      request,
      flow,
      timers: this.#timers,
      timing: this.#timing,
      events,
      onTerminated: () => this.#clients.delete(key),
    });
    this.#clients.set(key, transaction);
    return transaction;
  }

  onBytes(bytes: Buffer, flow: Flow): void {
    const parsed = parseMessage(bytes);
    if (parsed.kind === 'request') this.#onRequest(parsed, flow);
    else if (parsed.kind === 'response') this.#onResponse(parsed, flow);
    else if (parsed.answerable !== undefined) refuse(parsed.answerable, flow);
  }

  onClosed(flow: Flow): void {
    for (const client of this.#clients.values()) if (client.setup.flow === flow) client.connectionLost();
    this.#user.onClosed(flow);
  }

  onBrokenStream(head: Buffer, flow: Flow): void {
    const parsed = parseMessage(head);
    if (parsed.kind === 'malformed' && parsed.answerable !== undefined) refuse(parsed.answerable, flow);
  }

  #onResponse(response: SipResponse, flow: Flow): void {
    const client = this.#clients.get(clientKey(response.vias[0], response.cseq.method));
    // One that belongs to no transaction is dropped: it answers nothing that was asked.
    if (client === undefined) return;
    // Nobody else knows the branch of our request.
    flow.reach?.show();
    client.receive(response);
  }

  #onRequest(received: SipRequest, flow: Flow): void {
    const [via, ...others] = received.vias;
    if (via === undefined) return;
    const request = { ...received, vias: [withSource(via, flow.remote), ...others] };
    const key = serverKey(request, via, request.method);
    const known = this.#servers.get(key);
    if (request.method === 'ACK') {
      if (known?.hasTag(tagOf(request.to)) === true) flow.reach?.show();
      const isTaken = known instanceof InviteServerTransaction && known.receiveAck();
      if (!isTaken) this.#user.onAck(request, flow);
    } else if (known !== undefined) known.receiveAgain();
    else if (this.#servers.size < mostServerTransactions) this.#begin(request, key, flow, via);
  }

  #begin(request: SipRequest, key: string, flow: Flow, via: Via): void {
    const Kind = request.method === 'INVITE' ? InviteServerTransaction : NonInviteServerTransaction;
    const merge = mergeKey(request);
    const transaction = new Kind({
      request,
      flow,
      replyFlow: replyFlowOf(flow, via),
      timers: this.#timers,
      timing: this.#timing,
      onTerminated: () => {
        this.#servers.delete(key);
        if (this.#merges.get(merge) === key) this.#merges.delete(merge);
      },
    });
    this.#servers.set(key, transaction);
    if (!this.#merges.has(merge)) this.#merges.set(merge, key);
    this.#user.onRequest(transaction);
  }

  /** Whether the same request has come by another way already. */
  isMerged({ request }: ServerTransaction): boolean {
    const [via] = request.vias;
    if (tagOf(request.to) !== undefined || via === undefined) return false;
    const first = this.#merges.get(mergeKey(request));
    return first !== undefined && first !== serverKey(request, via, request.method);
  }

  /** Whether one of our own requests has come back. */
  isLoop(request: SipRequest): boolean {
    return request.vias.some((via) => this.#clients.has(clientKey(via, request.method)));
  }

  /** The INVITE that a CANCEL means. */
  inviteOf(cancel: SipRequest): InviteServerTransaction | undefined {
    const [via] = cancel.vias;
    const found = via === undefined ? undefined : this.#servers.get(serverKey(cancel, via, 'INVITE'));
    return found instanceof InviteServerTransaction ? found : undefined;
  }

  /** Forgets all transactions without telling anybody. */
  close(): void {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.terminate();
  }
}

export function newBranch(): string {
  return `${branchCookie}${randomBytes(12).toString('hex')}`;
}

export function newTag(): string {
  return randomBytes(8).toString('hex');
}

function clientKey(via: Via | undefined, method: string): string {
  return `${via === undefined ? '' : branchOf(via)} ${method}`;
}

/** The branch and the sender, or for branches of RFC 2543 all that makes a request what it is. */
function serverKey(request: SipRequest, via: Via, method: string): string {
  const kind = method === 'ACK' ? 'INVITE' : method;
  const branch = branchOf(via);
  const sender = `${via.host}:${via.port ?? ''}`.toLowerCase();
  if (branch?.startsWith(branchCookie)) return `${branch} ${sender} ${kind}`;
  const bare = printVia({ ...via, parameters: new Map(branch === undefined ? [] : [['branch', branch]]) });
  return [request.uri, tagOf(request.from), request.callId, request.cseq.number, bare, kind].join(' ');
}

function mergeKey({ from, callId, cseq }: SipRequest): string {
  return [tagOf(from), callId, cseq.number, cseq.method].join(' ');
}

/** Over UDP a response goes to the source port when `rport` asks for it, else to the port that Via names. */
function replyFlowOf(flow: Flow, via: Via): Flow {
  const reply = via.parameters.has('rport') ? flow : flow.withPort(via.port ?? 5060);
  const { reach } = flow;
  if (reach === undefined) return reply;
  // An answer beyond the limit is dropped like a lost datagram: a caller that can be reached repeats its request.
  return { ...reply, send: async (bytes) => (reach.mayAnswer(bytes.length) ? reply.send(bytes) : undefined) };
}

function refuse(answerable: Answerable, flow: Flow): void {
  const [via, ...others] = answerable.vias;
  if (via === undefined) return;
  const vias = [withSource(via, flow.remote), ...others];
  replyFlowOf(flow, via)
    .send(printRefusal({ ...answerable, vias }, newTag()))
    .catch(() => {});
}
