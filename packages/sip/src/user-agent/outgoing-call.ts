// A call that is placed: INVITE with credentials, ringing, answer, cancelling, and the release of forks.

import { EventEmitter } from 'node:events';
import { DigestClient } from '../auth/digest-client.ts';
import { Dialog } from '../dialog/dialog.ts';
import { type Guard, guardOf } from '../guard.ts';
import type { HeaderFields } from '../message/header-fields.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { tagOf } from '../message/name-address.ts';
import { descriptionOf } from '../message/session-description.ts';
import { parseUri } from '../message/uri.ts';
import type { ClientEvents, ClientFailure, ClientTransaction } from '../transaction/client-transaction.ts';
import { type Cancel, patience } from '../transaction/timers.ts';
import type { Flow } from '../transport/network.ts';
import { type CallEvents, type Ended, type Ending, endingOf, endings, reasonOf, refusalCause } from './call-events.ts';
import { asError, type Endpoint, isChallenge } from './endpoint.ts';
import { type HangUpReason, reasonHeader, reasonOfSignal } from './hang-up-reason.ts';
import { cancelOf, type InviteOptions, inviteDraft } from './invite-request.ts';
import { type SavedCall, savedInvite, viaOf } from './saved-call.ts';
import { Session } from './session.ts';
import { destinationOf } from './trunk.ts';

export type CallContext = {
  readonly endpoint: Endpoint;
  /** Makes requests of the dialog reach the session until it ends. */
  register(session: Session): void;
  forget(session: Session): void;
  /** Counts a call as under way until it ends, so that closing the user agent ends it. */
  opened(call: Closable): void;
  ended(call: Closable): void;
};

export type Closable = { hangUp(reason?: HangUpReason): Promise<void>; dispose(): void };

/** How long a call that was not answered in time waits for the end of its CANCEL. */
const confirmWithinMs = 2_000;

type Phase = 'setup' | 'cancelling' | 'established' | 'ended';

export class OutgoingCall extends EventEmitter<CallEvents> {
  readonly #context: CallContext;
  readonly #options: InviteOptions;
  readonly #digest: DigestClient;
  readonly #draft: SipRequest;
  readonly #contactUser: string;
  readonly #guard: Guard;
  readonly #challenges = new Map<string, number>();
  /** One session for each callee that answered; all but the first are released at once. */
  readonly #sessions = new Map<string, Session>();
  readonly #cancels: Cancel[] = [];
  #phase: Phase = 'setup';
  #seq = 1;
  #sent: { readonly invite: SipRequest; readonly flow: Flow; readonly transaction: ClientTransaction } | undefined;
  #session: Session | undefined;
  readonly #whenEnded = Promise.withResolvers<void>();
  #hasResponse = false;
  #progress: Ended['progress'];
  #earlyDescription: string | undefined;
  #hangUpReason: HangUpReason | undefined;
  /** Why the call will have ended, decided before the peer has confirmed it. */
  #verdict: Ending | undefined;

  constructor(context: CallContext, options: InviteOptions) {
    super();
    this.#context = context;
    this.#options = options;
    this.#digest = new DigestClient(options.credentials);
    this.#draft = inviteDraft(options);
    this.#contactUser = parseUri(this.#draft.from.uri)?.user ?? 'anonymous';
    this.#guard = guardOf(`call ${this.callId}`, context.endpoint.onFault, () => this.abort());
  }

  get callId(): string {
    return this.#draft.callId;
  }

  /** Whether the request belongs to a dialog of this call that rings: the peer may ask and tell things before it answers. */
  isAskedEarly({ callId, to }: SipRequest): boolean {
    return this.#phase === 'setup' && callId === this.callId && tagOf(to) === tagOf(this.#draft.from);
  }

  /** Starts the call; its events come later, never during this method. */
  start(): void {
    const { signal, progressTimeoutMs = 30_000 } = this.#options;
    if (signal !== undefined) {
      const onAbort = () => this.#stop(reasonOfSignal(signal.reason));
      if (signal.aborted) queueMicrotask(onAbort);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#cancels.push(() => signal.removeEventListener('abort', onAbort));
    }
    this.#cancels.push(
      this.#after(progressTimeoutMs, () => {
        if (this.#progress !== 'ringing') this.#giveUp(endings.unanswered);
      }),
    );
    this.#awaitResponse();
    this.#context.opened(this);
    this.#guard(() => this.#send(this.#draft));
  }

  /** Each INVITE has the whole time: that of one with credentials does not begin with the one before, which was refused. */
  #awaitResponse(): void {
    const { responseTimeoutMs = 10_000 } = this.#options;
    const seq = this.#seq;
    this.#hasResponse = false;
    this.#cancels.push(
      this.#after(responseTimeoutMs, () => {
        if (!this.#hasResponse && seq === this.#seq) this.#abandon();
      }),
    );
  }

  #after(ms: number, action: () => void): Cancel {
    return this.#context.endpoint.timers.after(ms, () => this.#guard(action));
  }

  /** Ends the call: cancels it while it rings, hangs up after that. Resolves when the peer has confirmed it, or can no longer. */
  async hangUp(reason?: HangUpReason): Promise<void> {
    this.#hangUpReason = reason;
    if (this.#session !== undefined) await this.#session.bye(endings.hungUp(), reasonHeader(reason));
    else {
      this.#giveUp({ ...endings.cancelled, ...(reason?.text !== undefined && { reason: reason.text }) });
      await this.#whenEnded.promise;
    }
  }

  #stop(reason: HangUpReason): void {
    this.#guard(() => this.hangUp(reason));
  }

  /** Ends the call at once because of an error on this side; the peer is told as by `hangUp`, without waiting for it. */
  abort(): void {
    const session = this.#session;
    if (session !== undefined) this.#guard(() => session.bye(endings.fault));
    // A peer that has said nothing yet is cancelled, or hung up on, with its first response.
    else if (this.#hasResponse) this.#sendCancel();
    this.#end(endings.fault);
  }

  /** Asks the peer whether the call still exists; when it does not, or the peer does not answer in time, the call ends here, too. */
  probe(withinMs?: number): Promise<boolean> {
    return this.#session?.probe(withinMs) ?? Promise.resolve(false);
  }

  /** Returns the state from which another process can release the far end; undefined before the INVITE was sent and after the end. */
  save(): SavedCall | undefined {
    if (this.#phase === 'ended') return undefined;
    const invite = this.#sent?.invite;
    if (this.#session !== undefined)
      return { kind: 'dialog', dialog: this.#session.dialog.save(), ...(invite && { via: viaOf(invite) }) };
    return invite && savedInvite(invite);
  }

  async #send(draft: SipRequest): Promise<void> {
    const { endpoint } = this.#context;
    const { trunk } = this.#options;
    try {
      const way = { destination: destinationOf(trunk), switchToTcp: trunk.switchToTcp === true };
      const flow = await endpoint.open(way, draft);
      const invite = await endpoint.complete(this.#digest.authorize(draft), flow, this.#contactUser);
      // Cancelled while the way was opened: nobody has heard of the call yet.
      if (this.#phase !== 'setup') return this.#end(this.#verdict ?? endings.cancelled);
      const events: ClientEvents = {
        onResponse: (response) => this.#onResponse(response, invite, flow),
        onFailure: (failure, error) => this.#onFailure(failure, error),
        onConnectionLost: (error) => this.#onConnectionLost(error),
      };
      const transaction = endpoint.transact(invite, flow, events, this.#guard);
      this.#sent = { invite, flow, transaction };
    } catch (error) {
      this.#onFailure('transport', asError(error));
    }
  }

  #onResponse(response: SipResponse, invite: SipRequest, flow: Flow): unknown {
    this.#hasResponse = true;
    if (response.status < 200) return this.#onProvisional(response);
    return response.status < 300 ? this.#onAnswer(response, invite, flow) : this.#onRefusal(response);
  }

  #onProvisional(response: SipResponse): void {
    if (this.#phase === 'cancelling' || this.#phase === 'ended') this.#sendCancel();
    if (this.#phase !== 'setup') return;
    if (response.status === 100) {
      this.#progress ??= 'trying';
      return void this.emit('trying');
    }
    if (this.#progress !== 'ringing') {
      const { ringTimeoutMs = 45_000 } = this.#options;
      this.#cancels.push(this.#after(ringTimeoutMs, () => this.#giveUp(endings.unanswered)));
    }
    this.#progress = 'ringing';
    const description = knownDescriptionOf(response);
    this.#earlyDescription = description ?? this.#earlyDescription;
    this.emit('ringing', { status: response.status, ...(description !== undefined && { description }) });
  }

  /** A body that is no description counts as none: whoever placed the call decides whether it can do without. */
  #onAnswer(response: SipResponse, invite: SipRequest, flow: Flow): unknown {
    const tag = tagOf(response.to) ?? '';
    const known = this.#sessions.get(tag);
    if (known !== undefined) return known.acknowledge(invite);
    const session = this.#sessionOf(Dialog.ofResponse(invite, response), flow);
    this.#sessions.set(tag, session);
    this.#guard(() => session.acknowledge(invite));
    // Somebody who picks up just when it was given up is spoken to.
    const isJustInTime = this.#phase === 'cancelling' && this.#verdict?.cause === 'unanswered';
    if (this.#phase !== 'setup' && !isJustInTime) return this.#release(session);
    const description = knownDescriptionOf(response) ?? this.#earlyDescription;
    this.#phase = 'established';
    this.#verdict = undefined;
    this.#session = session;
    this.#stopTimers();
    session.establish(this.#options.offer, response, true);
    this.#context.register(session);
    this.emit('answered', { ...(description !== undefined && { description }) });
    return undefined;
  }

  /** Hangs up on a callee that answered although the call was cancelled, or after another one had answered. */
  async #release(session: Session): Promise<void> {
    const headers =
      this.#phase === 'established' ? reasonHeader({ sip: 200, text: 'Call completed elsewhere' }) : undefined;
    await session.bye(endings.hungUp('released'), headers);
    if (this.#phase !== 'established') this.#end(this.#verdict ?? endings.cancelled);
  }

  #sessionOf(dialog: Dialog, flow: Flow): Session {
    const { endpoint } = this.#context;
    const { trunk, offer, onOffer } = this.#options;
    const session: Session = new Session({
      endpoint,
      dialog,
      digest: this.#digest,
      contactUser: this.#contactUser,
      first: { ...destinationOf(trunk), protocol: flow.protocol },
      fallback: flow,
      guard: this.#guard,
      onOffer: onOffer ?? (() => offer),
      onDigit: (digit) => this.emit('digit', digit),
      onRenegotiated: (description) => this.emit('renegotiated', { ...(description !== undefined && { description }) }),
      onEnded: (ended) => {
        this.#context.forget(session);
        if (session === this.#session) this.#end(ended);
      },
    });
    return session;
  }

  #onRefusal(response: SipResponse): unknown {
    if (this.#phase === 'established' || this.#phase === 'ended') return undefined;
    if (this.#phase === 'setup' && this.#canRetry(response)) {
      this.#seq += 1;
      this.#awaitResponse();
      const cseq = { number: this.#seq, method: 'INVITE' };
      return this.#send({ ...this.#draft, headers: this.#retryHeaders(response), cseq });
    }
    const { status } = response;
    const refused: Ending = { by: 'remote', cause: refusalCause(status), reason: reasonOf(response, response.reason) };
    return this.#end({ ...(this.#verdict ?? refused), status, ...endingOf(response) });
  }

  #canRetry(response: SipResponse): boolean {
    if (isChallenge(response)) return this.#digest.learn(response, this.#challenges);
    // A proxy on the way wants longer session intervals than another one asked for in our name.
    return response.status === 422 && response.headers.get('Min-SE') !== undefined && this.#seq === 1;
  }

  #retryHeaders(response: SipResponse): HeaderFields {
    const shortest = response.status === 422 ? /^\d{1,6}/.exec(response.headers.get('Min-SE') ?? '')?.[0] : undefined;
    if (shortest === undefined) return this.#draft.headers;
    return this.#draft.headers.with('Min-SE', shortest).with('Session-Expires', shortest);
  }

  #onFailure(failure: ClientFailure, error?: Error): void {
    if (this.#phase === 'established') return;
    this.#end(this.#verdict ?? (failure === 'timeout' ? endings.silent : endings.unreached(error)));
  }

  /** The connection went down while it rang: the telephone is told over another one to stop, as well as that goes. */
  async #onConnectionLost(error: Error): Promise<void> {
    if (this.#phase !== 'setup' && this.#phase !== 'cancelling') return;
    const invite = this.#sent?.invite;
    this.#end(this.#verdict ?? endings.unreached(error));
    if (invite === undefined) return;
    const { endpoint } = this.#context;
    const cancel = cancelOf(invite, reasonHeader(this.#hangUpReason));
    const flow = await endpoint.openTrunk(destinationOf(this.#options.trunk)).catch(() => undefined);
    if (flow !== undefined) endpoint.transact(cancel, flow, { onResponse: () => {}, onFailure: () => {} });
  }

  /** Stops waiting for a peer that has said nothing; should it wake up, the call is cancelled there. */
  #abandon(): void {
    this.#end(endings.silent);
  }

  /**
   * Cancels the set-up; the call ends when the peer confirms it, or at the latest after the time that it has for that. Who could
   * not wait for the answer does not wait long for its end either: the next way is tried.
   */
  #giveUp(verdict: Ending): void {
    if (this.#phase !== 'setup') return;
    this.#phase = 'cancelling';
    this.#verdict = verdict;
    this.#stopTimers();
    const waitMs = verdict.cause === 'unanswered' ? confirmWithinMs : patience(this.#context.endpoint.timing);
    this.#cancels.push(this.#after(waitMs, () => this.#end(verdict)));
    // Without a response the peer may not know the INVITE yet; the CANCEL follows the first one.
    if (this.#hasResponse) this.#sendCancel();
  }

  #isCancelSent = false;

  #sendCancel(): void {
    if (this.#sent === undefined || this.#isCancelSent) return;
    this.#isCancelSent = true;
    const { invite, flow } = this.#sent;
    const by = this.#verdict?.by;
    const reason = this.#hangUpReason ?? (by === 'timeout' ? { sip: 408, text: 'not answered in time' } : undefined);
    this.#context.endpoint.transact(cancelOf(invite, reasonHeader(reason)), flow, {
      onResponse: () => {},
      onFailure: () => {},
    });
  }

  /** Stops waiting for anything, without a word to the peer. */
  dispose(): void {
    this.#end(this.#verdict ?? endings.closed);
  }

  #stopTimers(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
    const { signal } = this.#options;
    if (this.#phase !== 'established' || signal === undefined) return;
    // Aborting hangs up a call that was answered, too.
    const onAbort = () => this.#stop(reasonOfSignal(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    this.#cancels.push(() => signal.removeEventListener('abort', onAbort));
  }

  #end(ended: Omit<Ended, 'wasAnswered'>): void {
    if (this.#phase === 'ended') return;
    const wasAnswered = this.#phase === 'established';
    const progress = this.#progress;
    this.#phase = 'ended';
    this.#stopTimers();
    this.#sent?.transaction.expire();
    this.#context.ended(this);
    this.#whenEnded.resolve();
    // Under a guard of its own, so that a listener that fails does not keep the BYE from being sent.
    this.#guard(() => this.emit('ended', { ...ended, wasAnswered, ...(progress && { progress }) }));
  }
}

/** The description in a response; undefined when its body is none. */
function knownDescriptionOf(response: SipResponse): string | undefined {
  const description = descriptionOf(response);
  return description === 'unsupported' ? undefined : description;
}
