// An established call: the requests of its dialog, in both directions.

import type { DigestClient } from '../auth/digest-client.ts';
import type { Dialog } from '../dialog/dialog.ts';
import type { Guard } from '../guard.ts';
import { HeaderFields } from '../message/header-fields.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { printMessage } from '../message/printer.ts';
import { responseTo } from '../message/response.ts';
import { descriptionOf, sdpType } from '../message/session-description.ts';
import type { ClientEvents } from '../transaction/client-transaction.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import { patience } from '../transaction/timers.ts';
import type { Destination, Flow } from '../transport/network.ts';
import type { SourceReach } from '../transport/reach.ts';
import { AckWait } from './ack-wait.ts';
import { type Digit, type Ended, type Ending, endingOf, endings, reasonOf } from './call-events.ts';
import { allowed } from './capabilities.ts';
import { type Endpoint, isChallenge, type Outcome, type Sending } from './endpoint.ts';
import { digitOf, digitTypes } from './info-digit.ts';
import {
  agreedInterval,
  SessionTimer,
  sessionIntervalOf,
  sessionTimerHeaders,
  shortestInterval,
} from './session-timer.ts';
import { inTime } from './supervision.ts';
import { destinationOfUri } from './trunk.ts';

/** Answers a new offer of the peer, or makes one when the peer asks for it; undefined refuses the change (488). */
export type OfferHandler = (offer: string | undefined) => string | undefined | Promise<string | undefined>;

export type SessionSetup = {
  readonly endpoint: Endpoint;
  readonly dialog: Dialog;
  readonly digest: DigestClient;
  readonly contactUser: string;
  /** Where the first request of the call went to or came from. */
  readonly first: Destination;
  readonly fallback: Flow;
  /** Of an incoming call: whether its source has shown that it can be reached. */
  readonly caller?: SourceReach | undefined;
  /** Of the call: an error in a handler of the session ends the call. */
  readonly guard: Guard;
  readonly onOffer: OfferHandler;
  onDigit(digit: Digit): void;
  onEnded(ended: Ended): void;
  /** The first ACK of a call that was answered here, with its description when the INVITE had none. */
  onConfirmed?(description: string | undefined): void;
  /** The peer's answer to an offer that it had asked for in mid-call. */
  onRenegotiated?(description: string | undefined): void;
};

export class Session {
  readonly #setup: SessionSetup;
  readonly #timer: SessionTimer;
  /** ACKs that were sent, by the number of their INVITE. */
  readonly #acks = new Map<number, { readonly bytes: Buffer; readonly flow: Flow }>();
  /** Settles when the newest ACK is on its way: a BYE must not overtake it. */
  #acknowledging: Promise<void> = Promise.resolve();
  #ackWait: AckWait | undefined;
  #isEnded = false;
  #isConfirmed = false;
  #isOffering = false;
  /** The number of the newest re-INVITE without an offer, whose ACK brings the answer to ours (RFC 3264, RFC 3261 13.2.1). */
  #offeredIn: number | undefined;
  /** Our description in force, which a renewal of the session repeats. */
  #localDescription = '';
  #peerAllowsUpdate = false;

  constructor(setup: SessionSetup) {
    this.#setup = setup;
    this.#timer = new SessionTimer(setup.endpoint.timers, {
      refresh: () => setup.guard(() => this.#refresh()),
      expire: () => setup.guard(() => this.bye(endings.lost('the session was not renewed'))),
    });
  }

  get dialog(): Dialog {
    return this.#setup.dialog;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Notes what an INVITE and its 2xx agreed on. */
  establish(localDescription: string, answer: SipResponse | SipRequest, isCaller: boolean): void {
    this.#localDescription = localDescription;
    this.#peerAllowsUpdate = answer.headers.tokens('Allow').includes('update');
    const interval = isCaller ? sessionIntervalOf(answer) : agreedInterval(answer);
    this.#timer.agree(interval, (interval?.refresher ?? 'uac') === (isCaller ? 'uac' : 'uas'));
  }

  /** Sends a 2xx to an INVITE and repeats it until its ACK comes. */
  answerInvite(transaction: ServerTransaction, response: SipResponse): void {
    this.#ackWait?.stop();
    const { guard } = this.#setup;
    this.#ackWait = new AckWait(transaction, response, () => guard(() => this.bye(endings.unconfirmed)));
  }

  receiveAck(ack: SipRequest): void {
    this.#setup.guard(() => this.#confirm(ack));
  }

  #confirm(ack: SipRequest): void {
    if (this.#ackWait?.seq !== ack.cseq.number) return;
    this.#ackWait.stop();
    this.#ackWait = undefined;
    const found = descriptionOf(ack);
    const description = found === 'unsupported' ? undefined : found;
    if (this.#offeredIn === ack.cseq.number) this.#setup.onRenegotiated?.(description);
    if (this.#isConfirmed || this.#setup.onConfirmed === undefined) return;
    this.#isConfirmed = true;
    this.#setup.onConfirmed(description);
  }

  /** Sends the ACK for a 2xx of our INVITE, the same bytes for each repetition. */
  acknowledge(invite: SipRequest): Promise<void> {
    const sending = this.#sendAck(invite);
    this.#acknowledging = sending.catch(() => {});
    return sending;
  }

  async #sendAck(invite: SipRequest): Promise<void> {
    const { endpoint, dialog, fallback } = this.#setup;
    const sent = this.#acks.get(invite.cseq.number);
    if (sent !== undefined) return sent.flow.send(sent.bytes).catch(() => {});
    const draft = dialog.ack(invite);
    const flow = await endpoint.open({ destination: this.#destination() }, draft, fallback);
    const ack = { bytes: printMessage(await endpoint.complete(draft, flow)), flow };
    this.#acks.set(invite.cseq.number, ack);
    await flow.send(ack.bytes).catch(() => {});
  }

  /** Takes a request of the dialog. */
  receive(transaction: ServerTransaction): void {
    this.#setup.guard(() => this.#receive(transaction));
  }

  #receive(transaction: ServerTransaction): void | Promise<void> {
    const { request } = transaction;
    const { method } = request;
    if (!this.dialog.accept(request)) this.#respond(transaction, 500);
    else if (method === 'BYE') this.#receiveBye(transaction);
    else if (method === 'INVITE' || method === 'UPDATE') return this.#renegotiate(transaction);
    else if (method === 'INFO') this.#receiveInfo(transaction);
    else if (method === 'OPTIONS')
      this.#respond(transaction, 200, HeaderFields.of({ Allow: allowed, Accept: sdpType }));
    else this.#respond(transaction, 405, HeaderFields.of({ Allow: allowed }));
  }

  #receiveBye(transaction: ServerTransaction): void {
    const { request } = transaction;
    this.#respond(transaction, 200);
    const ending = { by: 'remote', cause: 'hung-up', reason: reasonOf(request, 'hung up') } as const;
    this.#end({ ...ending, wasAnswered: true, ...endingOf(request) });
  }

  #receiveInfo(transaction: ServerTransaction): void {
    const digit = digitOf(transaction.request);
    const isUnknown = digit === undefined && transaction.request.body.length > 0;
    if (isUnknown) this.#respond(transaction, 415, HeaderFields.of({ Accept: digitTypes }));
    else this.#respond(transaction, 200);
    if (digit !== undefined) this.#setup.onDigit(digit);
  }

  /** Answers a new offer by INVITE or UPDATE, or the renewal of the session without one. */
  async #renegotiate(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction;
    const offer = descriptionOf(request);
    const interval = agreedInterval(request);
    if (this.#isOffering) return this.#respond(transaction, 491);
    if (this.#ackWait !== undefined) return this.#respond(transaction, 500, HeaderFields.of({ 'Retry-After': '1' }));
    if (offer === 'unsupported') return this.#respond(transaction, 415, HeaderFields.of({ Accept: sdpType }));
    if (interval !== undefined && interval.seconds < shortestInterval) {
      return this.#respond(transaction, 422, HeaderFields.of({ 'Min-SE': String(shortestInterval) }));
    }
    const isBareUpdate = request.method === 'UPDATE' && offer === undefined;
    const answer = isBareUpdate ? '' : await this.#answerTo(offer);
    if (this.#isEnded) return this.#respond(transaction, 481);
    if (answer === undefined) return this.#respond(transaction, 488);
    this.dialog.refreshTarget(request);
    if (!isBareUpdate) this.#localDescription = answer;
    this.#timer.agree(interval, interval?.refresher === 'uas');
    const response = await this.#acceptance(transaction, answer);
    if (request.method === 'INVITE') {
      this.#offeredIn = offer === undefined ? request.cseq.number : undefined;
      this.answerInvite(transaction, response);
    } else transaction.respond(response);
  }

  /** The answer of the handler; a handler that fails refuses. */
  async #answerTo(offer: string | undefined): Promise<string | undefined> {
    this.#isOffering = true;
    try {
      return await this.#setup.onOffer(offer);
    } catch {
      return undefined;
    } finally {
      this.#isOffering = false;
    }
  }

  async #acceptance({ request, setup }: ServerTransaction, description: string): Promise<SipResponse> {
    const headers = HeaderFields.of({
      Contact: await this.#setup.endpoint.contact(setup.flow, this.#setup.contactUser),
      Allow: allowed,
      Supported: 'timer',
      ...(description !== '' && { 'Content-Type': sdpType }),
    }).withAll(sessionTimerHeaders(agreedInterval(request)));
    return responseTo(request, 200, { headers, body: Buffer.from(description) });
  }

  #respond(transaction: ServerTransaction, status: number, headers = new HeaderFields()): void {
    transaction.respond(responseTo(transaction.request, status, { headers }));
  }

  /** Renews the session: by UPDATE where the peer knows it, else by an INVITE with the description in force. */
  async #refresh(): Promise<void> {
    const headers = HeaderFields.of({ Supported: 'timer', 'Session-Expires': '1800;refresher=uac', Allow: allowed });
    const outcome = this.#peerAllowsUpdate
      ? await this.send(this.dialog.request('UPDATE', headers))
      : await this.#reinvite(headers.with('Content-Type', sdpType));
    if (this.#isEnded) return;
    const status = outcome.kind === 'response' ? outcome.response.status : 408;
    if (outcome.kind === 'response' && status < 300) {
      this.dialog.refreshTarget(outcome.response);
      const interval = sessionIntervalOf(outcome.response);
      this.#timer.agree(interval, interval?.refresher !== 'uas');
    } else if (status === 491 || status === 500) {
      this.#timer.refreshIn(4_000);
    } else if (status === 408 || status === 481) await this.bye(endings.lost('the session could not be renewed'));
    // A refusal says nothing about the call, which lasts for as long as was agreed (RFC 4028, 10).
    else this.#timer.runOut();
  }

  async #reinvite(headers: HeaderFields): Promise<Outcome> {
    const { endpoint, digest, contactUser, fallback } = this.#setup;
    const draft = this.dialog.request('INVITE', headers, Buffer.from(this.#localDescription));
    const answered = new Map<string, number>();
    this.#isOffering = true;
    try {
      for (let request = draft; ; ) {
        const flow = await endpoint.open({ destination: this.#destination() }, request, fallback);
        const invite = await endpoint.complete(digest.authorize(request), flow, contactUser);
        const outcome = await this.#inviteOutcome(invite, flow);
        if (outcome.kind === 'failure' || !isChallenge(outcome.response)) return outcome;
        if (!digest.learn(outcome.response, answered)) return outcome;
        request = { ...draft, cseq: { number: this.dialog.nextSeq(), method: 'INVITE' } };
      }
    } catch {
      return { kind: 'failure', failure: 'transport' };
    } finally {
      this.#isOffering = false;
    }
  }

  #inviteOutcome(invite: SipRequest, flow: Flow): Promise<Outcome> {
    const { endpoint, guard } = this.#setup;
    return new Promise((resolve) => {
      const events: ClientEvents = {
        onResponse: async (response) => {
          if (response.status >= 200) resolve({ kind: 'response', response });
          if (response.status >= 200 && response.status < 300) await this.acknowledge(invite);
        },
        onFailure: (failure) => resolve({ kind: 'failure', failure }),
      };
      endpoint.transact(invite, flow, events, guard);
    });
  }

  /** Asks whether the peer still knows the call, and ends it when it does not, or does not answer in time. */
  async probe(withinMs?: number): Promise<boolean> {
    const { endpoint, guard } = this.#setup;
    const asked = this.send(this.dialog.request('OPTIONS'));
    const outcome = await inTime(asked, endpoint.timers, withinMs ?? patience(endpoint.timing));
    const status = outcome.kind === 'response' ? outcome.response.status : undefined;
    if (status === 481) this.#end({ ...endings.lost('the peer no longer knows the call'), wasAnswered: true });
    const isSilent = status === undefined || status === 408;
    // A peer that is there all the same, and was not heard, is told.
    if (isSilent) guard(() => this.bye(endings.lost('the peer does not answer any more')));
    return !isSilent && status !== 481;
  }

  /** Ends the call with BYE; it counts as ended whatever the peer says. */
  async bye(ending: Ending, headers = new HeaderFields()): Promise<Outcome | undefined> {
    if (this.#isEnded) return undefined;
    this.#end({ ...ending, wasAnswered: true });
    await this.#acknowledging;
    // A caller that never confirmed the answer may have forged its address: a BYE would go to somebody who did not call.
    if (this.#setup.caller?.isShown === false) return undefined;
    return this.send(this.dialog.request('BYE', headers));
  }

  /** Ends here, without a word to the peer. */
  dispose(): void {
    this.#end({ ...endings.closed, wasAnswered: true });
  }

  send(request: SipRequest): Promise<Outcome> {
    const { endpoint, digest, fallback, contactUser } = this.#setup;
    const sending: Sending = {
      destination: this.#destination(),
      digest,
      fallback,
      nextSeq: () => this.dialog.nextSeq(),
      ...(request.method === 'UPDATE' && { contactUser }),
    };
    return endpoint.send(request, sending);
  }

  #destination(): Destination {
    const uri = this.dialog.nextHop;
    return uri === undefined ? this.#setup.first : destinationOfUri(uri, this.#setup.first);
  }

  #end(ended: Ended): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#timer.stop();
    this.#ackWait?.stop();
    this.#setup.onEnded(ended);
  }
}
