// The two server transactions of RFC 3261, 17.2, with the state for 2xx of RFC 6026.

import type { SipRequest, SipResponse } from '../message/message.ts';
import { tagOf } from '../message/name-address.ts';
import { printMessage } from '../message/printer.ts';
import { type Flow, isReliable } from '../transport/network.ts';
import { type Cancel, patience, repeat, type Timers, type Timing } from './timers.ts';

export type ServerSetup = {
  readonly request: SipRequest;
  /** The flow on which the request came. */
  readonly flow: Flow;
  /** The flow on which responses go back: over UDP perhaps to another port. */
  readonly replyFlow: Flow;
  readonly timers: Timers;
  readonly timing: Timing;
  onTerminated(): void;
};

type State = 'trying' | 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

export abstract class ServerTransaction {
  readonly setup: ServerSetup;
  protected state: State = 'trying';
  protected last: Buffer | undefined;
  #stopWaiting: Cancel = () => {};
  #tag: string | undefined;

  constructor(setup: ServerSetup) {
    this.setup = setup;
  }

  get request(): SipRequest {
    return this.setup.request;
  }

  /** Whether a final response was sent. */
  get isAnswered(): boolean {
    return this.state !== 'trying' && this.state !== 'proceeding';
  }

  /** Whether it is the tag of our answer, which nobody knows who has not read it. */
  hasTag(tag: string | undefined): boolean {
    return tag !== undefined && tag === this.#tag && tagOf(this.request.to) === undefined;
  }

  protected get isReliable(): boolean {
    return isReliable(this.setup.replyFlow.protocol);
  }

  respond(response: SipResponse): void {
    this.#tag = tagOf(response.to) ?? this.#tag;
    this.answer(response);
  }

  protected abstract answer(response: SipResponse): void;

  /** A retransmission of the request has the last response repeated. */
  receiveAgain(): void {
    if (this.last !== undefined && (this.state === 'proceeding' || this.state === 'completed'))
      this.transmit(this.last);
  }

  protected transmit(bytes: Buffer): void {
    // A peer that cannot be reached repeats its request or gives up.
    this.setup.replyFlow.send(bytes).catch(() => {});
  }

  protected wait(ms: number, action: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.setup.timers.after(ms, action);
  }

  terminate(): void {
    if (this.state === 'terminated') return;
    this.state = 'terminated';
    this.#stopWaiting();
    this.setup.onTerminated();
  }
}

export class NonInviteServerTransaction extends ServerTransaction {
  protected answer(response: SipResponse): void {
    if (this.isAnswered) return;
    this.last = printMessage(response);
    this.state = response.status < 200 ? 'proceeding' : 'completed';
    this.transmit(this.last);
    if (this.state === 'proceeding') return;
    if (this.isReliable) this.terminate();
    else this.wait(patience(this.setup.timing), () => this.terminate());
  }
}

export class InviteServerTransaction extends ServerTransaction {
  #stopRepeating: Cancel = () => {};

  protected answer(response: SipResponse): void {
    if (this.isAnswered) return;
    const { timers, timing } = this.setup;
    const bytes = printMessage(response);
    this.last = bytes;
    this.transmit(bytes);
    if (response.status < 200) {
      this.state = 'proceeding';
      return;
    }
    // A 2xx is repeated by the call, for its ACK belongs to the dialog.
    this.state = response.status < 300 ? 'accepted' : 'completed';
    if (this.state === 'completed' && !this.isReliable) {
      this.#stopRepeating = repeat(timers, timing.t1, timing.t2, () => this.transmit(bytes));
    }
    this.wait(patience(timing), () => this.terminate());
  }

  /** Takes the ACK for a refusal, and says whether it was one: the ACK for a 2xx belongs to the dialog. */
  receiveAck(): boolean {
    if (this.state === 'confirmed') return true;
    if (this.state !== 'completed') return false;
    this.state = 'confirmed';
    this.#stopRepeating();
    if (this.isReliable) this.terminate();
    else this.wait(this.setup.timing.t4, () => this.terminate());
    return true;
  }

  override terminate(): void {
    this.#stopRepeating();
    super.terminate();
  }
}
