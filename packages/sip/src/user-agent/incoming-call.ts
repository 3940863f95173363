// A call that arrives: ringing, answering, rejecting, and its end by CANCEL or BYE.

import { EventEmitter } from 'node:events';
import { DigestClient } from '../auth/digest-client.ts';
import { Dialog } from '../dialog/dialog.ts';
import { type Guard, guardOf } from '../guard.ts';
import { checkText } from '../message/caller-values.ts';
import { HeaderFields } from '../message/header-fields.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { NameAddress } from '../message/name-address.ts';
import { responseTo } from '../message/response.ts';
import { descriptionOf, sdpType } from '../message/session-description.ts';
import { parseUri } from '../message/uri.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import { newTag } from '../transaction/transaction-layer.ts';
import type { Address, Destination, Protocol } from '../transport/network.ts';
import { type CallEvents, type Ended, endingOf, endings, reasonOf, refusalCause } from './call-events.ts';
import { allowed } from './capabilities.ts';
import { type HangUpReason, reasonHeader } from './hang-up-reason.ts';
import type { CallContext } from './outgoing-call.ts';
import type { SavedCall } from './saved-call.ts';
import { type OfferHandler, Session } from './session.ts';
import { agreedInterval, sessionTimerHeaders } from './session-timer.ts';

type Phase = 'ringing' | 'answered' | 'ended';

export class IncomingCall extends EventEmitter<Omit<CallEvents, 'trying' | 'ringing'>> {
  readonly #context: CallContext;
  readonly #transaction: ServerTransaction;
  readonly #guard: Guard;
  readonly #session: Session;
  readonly #tag = newTag();
  #phase: Phase = 'ringing';
  #onOffer: OfferHandler | undefined;
  #description = '';

  constructor(context: CallContext, transaction: ServerTransaction) {
    super();
    this.#context = context;
    this.#transaction = transaction;
    this.#guard = guardOf(`call ${this.callId}`, context.endpoint.onFault, () => this.abort());
    this.#session = this.#makeSession();
    context.register(this.#session);
    context.opened(this);
    transaction.respond(responseTo(transaction.request, 100));
  }

  get #request(): SipRequest {
    return this.#transaction.request;
  }

  get callId(): string {
    return this.#request.callId;
  }

  get from(): NameAddress {
    return this.#request.from;
  }

  get to(): NameAddress {
    return this.#request.to;
  }

  /** The address that was called, which may differ from `to` after a diversion. */
  get uri(): string {
    return this.#request.uri;
  }

  get headers(): HeaderFields {
    return this.#request.headers;
  }

  /** Where the request came from, by which a caller may be told from strangers. */
  get source(): Address & { readonly protocol: Protocol } {
    const { protocol, remote } = this.#transaction.setup.flow;
    return { ...remote, protocol };
  }

  /** The description that is offered; undefined when the caller leaves the offer to us. */
  get offer(): string | undefined {
    const description = descriptionOf(this.#request);
    return description === 'unsupported' ? undefined : description;
  }

  /** Says that it rings; with a description, as early media. */
  async ring(description?: string): Promise<void> {
    const status = description === undefined ? 180 : 183;
    const response = await this.#response(status, description);
    if (this.#phase === 'ringing') this.#transaction.respond(response);
  }

  /** Answers; `answered` follows when the caller has confirmed it. `onOffer` answers new offers during the call. */
  async answer(description: string, onOffer?: OfferHandler): Promise<void> {
    if (this.#phase !== 'ringing') return;
    this.#phase = 'answered';
    this.#description = description;
    this.#onOffer = onOffer;
    const response = await this.#response(200, description);
    // Cancelled in between: the INVITE has its final answer already.
    if (this.#transaction.isAnswered) return;
    this.#session.establish(description, this.#request, false);
    this.#session.answerInvite(this.#transaction, response);
  }

  reject(status = 603, reason?: string): void {
    if (this.#phase !== 'ringing') return;
    if (reason !== undefined) checkText('reason', reason);
    this.#refuse(status, reason);
    this.#end({ by: 'local', cause: refusalCause(status), wasAnswered: false, status, reason: reason ?? 'rejected' });
  }

  async hangUp(reason?: HangUpReason): Promise<void> {
    if (this.#phase === 'ringing') this.reject(480);
    else if (this.#phase === 'answered') await this.#session.bye(endings.hungUp(reason?.text), reasonHeader(reason));
  }

  /** Ends the call at once because of an error on this side; the peer is told, without waiting for it. */
  abort(): void {
    if (this.#phase === 'answered') this.#guard(() => this.#session.bye(endings.fault));
    if (this.#phase !== 'ringing') return;
    this.#refuse(500);
    this.#end({ ...endings.fault, wasAnswered: false, status: 500 });
  }

  /** Asks the peer whether the call still exists; when it does not, or the peer does not answer in time, the call ends here, too. */
  probe(withinMs?: number): Promise<boolean> {
    return this.#phase === 'answered' ? this.#session.probe(withinMs) : Promise.resolve(false);
  }

  save(): SavedCall | undefined {
    return this.#phase === 'answered' ? { kind: 'dialog', dialog: this.#session.dialog.save() } : undefined;
  }

  /** Takes the CANCEL of the caller; too late for a call that was answered. */
  cancelled(cancel: SipRequest): void {
    this.#guard(() => {
      if (this.#transaction.isAnswered) return;
      this.#refuse(487);
      const reason = reasonOf(cancel, 'cancelled');
      this.#end({ by: 'remote', cause: 'cancelled', wasAnswered: false, status: 487, reason, ...endingOf(cancel) });
    });
  }

  /** Stops waiting for anything, without a word to the peer. */
  dispose(): void {
    this.#session.dispose();
    this.#end({ ...endings.closed, wasAnswered: this.#phase === 'answered' });
  }

  #refuse(status: number, reason?: string): void {
    const parts = { toTag: this.#tag, ...(reason !== undefined && { reason }) };
    this.#transaction.respond(responseTo(this.#request, status, parts));
  }

  async #response(status: number, description: string | undefined): Promise<SipResponse> {
    const contact = await this.#context.endpoint.contact(this.#transaction.setup.flow, this.#user);
    const routes = this.#request.headers.getAll('Record-Route');
    const timer = status < 200 ? undefined : agreedInterval(this.#request);
    const headers = HeaderFields.of({
      'Record-Route': routes,
      Contact: contact,
      Allow: allowed,
      Supported: 'timer',
      ...(description !== undefined && { 'Content-Type': sdpType }),
    }).withAll(sessionTimerHeaders(timer));
    return responseTo(this.#request, status, { toTag: this.#tag, headers, body: Buffer.from(description ?? '') });
  }

  get #user(): string {
    return parseUri(this.#request.uri)?.user ?? 'anonymous';
  }

  #makeSession(): Session {
    const { flow } = this.#transaction.setup;
    const first: Destination = { protocol: flow.protocol, host: flow.remote.address, port: flow.remote.port };
    const session: Session = new Session({
      endpoint: this.#context.endpoint,
      dialog: Dialog.ofRequest(this.#request, this.#tag),
      digest: new DigestClient(undefined),
      contactUser: this.#user,
      first,
      fallback: flow,
      caller: flow.reach,
      guard: this.#guard,
      onOffer: (offer) => (this.#onOffer === undefined ? this.#description : this.#onOffer(offer)),
      onDigit: (digit) => this.emit('digit', digit),
      onRenegotiated: (description) => this.emit('renegotiated', { ...(description !== undefined && { description }) }),
      onConfirmed: (description) => this.emit('answered', { ...(description !== undefined && { description }) }),
      onEnded: (ended) => {
        // A BYE before the answer leaves the INVITE open.
        if (!this.#transaction.isAnswered) this.#refuse(487);
        this.#end({ ...ended, wasAnswered: this.#phase === 'answered' });
      },
    });
    return session;
  }

  #end(ended: Ended): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#context.forget(this.#session);
    this.#context.ended(this);
    this.#guard(() => this.emit('ended', ended));
  }
}
