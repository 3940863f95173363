// The two client transactions of RFC 3261, 17.1, with the state for 2xx of RFC 6026.

import { HeaderFields } from '../message/header-fields.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';

import { noBody } from '../message/message.ts';
import { printMessage } from '../message/printer.ts';
import { type Flow, isReliable } from '../transport/network.ts';
import { type Cancel, patience, repeat, type Timers, type Timing } from './timers.ts';

export type ClientFailure = 'timeout' | 'transport';

export type ClientEvents = {
  /** Called for each response that is no retransmission; of an INVITE also for every 2xx. */
  onResponse(response: SipResponse): unknown;
  onFailure(failure: ClientFailure, error?: Error): unknown;
  /** The connection of an INVITE that was answered provisionally is gone; a final answer may still come over another. */
  onConnectionLost?(error: Error): unknown;
};

export type ClientSetup = {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly timers: Timers;
  readonly timing: Timing;
  readonly events: ClientEvents;
  onTerminated(): void;
};

/** In multiples of T1: 8 s without a byte on a connection. */
const silentAfter = 16;

type State = 'trying' | 'proceeding' | 'completed' | 'accepted' | 'terminated';

/** The part of both kinds of transactions that is the same: sending, retransmitting, giving up. */
export abstract class ClientTransaction {
  readonly setup: ClientSetup;
  protected state: State = 'trying';
  readonly #bytes: Buffer;
  #stopRepeating: Cancel = () => {};
  #stopWaiting: Cancel = () => {};
  #stopListening: Cancel = () => {};

  constructor(setup: ClientSetup) {
    this.setup = setup;
    this.#bytes = printMessage(setup.request);
  }

  abstract receive(response: SipResponse): void;
  /** The longest pause between retransmissions. */
  protected abstract longestPause(): number;

  protected get isReliable(): boolean {
    return isReliable(this.setup.flow.protocol);
  }

  start(): void {
    const { timing } = this.setup;
    this.transmit(this.#bytes);
    if (!this.isReliable) this.repeatFrom(timing.t1);
    else this.#leaveSilentConnection();
    this.wait(patience(timing), () => this.fail('timeout'));
  }

  /**
   * When nothing has come on the connection since, the next request opens another; what was begun on this one goes on, because
   * calls that ring are silent too, and some peers do not answer OPTIONS.
   */
  #leaveSilentConnection(): void {
    const { flow, timers, timing } = this.setup;
    const sentAt = performance.now();
    this.#stopListening = timers.after(silentAfter * timing.t1, () => {
      if (this.state !== 'trying' || (flow.heardAt?.() ?? sentAt) >= sentAt) return;
      flow.leave?.();
      this.giveUpSilence();
    });
  }

  /** Nothing has come on the connection since the request was sent. */
  protected giveUpSilence(): void {
    this.fail('transport', new Error('nothing comes on the connection'));
  }

  /** Nobody waits for the answer any more: it is taken for as long as it may come, and then the transaction is over. */
  expire(): void {
    if (this.state === 'proceeding') this.wait(patience(this.setup.timing), () => this.terminate());
  }

  /** Waits for answers only: the request was sent by another process. */
  adopt(): void {
    this.state = 'proceeding';
    this.wait(patience(this.setup.timing), () => this.terminate());
  }

  protected repeatFrom(pause: number): void {
    this.#stopRepeating();
    this.#stopRepeating = repeat(this.setup.timers, pause, this.longestPause(), () => this.transmit(this.#bytes));
  }

  protected stopRepeating(): void {
    this.#stopRepeating();
  }

  protected wait(ms: number, action: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.setup.timers.after(ms, action);
  }

  protected stopWaiting(): void {
    this.#stopWaiting();
  }

  protected transmit(bytes: Buffer): void {
    this.setup.flow.send(bytes).catch((error: Error) => {
      if (this.state === 'trying' || this.state === 'proceeding') this.fail('transport', error);
    });
  }

  protected fail(failure: ClientFailure, error?: Error): void {
    this.terminate();
    this.setup.events.onFailure(failure, error);
  }

  /** A request that nobody has answered yet went down with its connection; one that was may be answered over another. */
  connectionLost(): void {
    if (this.state === 'trying') this.fail('transport', connectionClosed());
  }

  /** Ends without a word to the user. */
  terminate(): void {
    if (this.state === 'terminated') return;
    this.state = 'terminated';
    this.#stopRepeating();
    this.#stopWaiting();
    this.#stopListening();
    this.setup.onTerminated();
  }
}

function connectionClosed(): Error {
  return new Error('the connection was closed');
}

/** How long an INVITE that was refused over UDP absorbs retransmissions of the refusal (timer D). */
const absorbMs = 32_000;

export class InviteClientTransaction extends ClientTransaction {
  #ack: Buffer | undefined;

  /** The user has a limit of its own, and a telephone that rings after it is cancelled: its answers are still taken. */
  protected override giveUpSilence(): void {}

  /** An INVITE is repeated with pauses that double without a limit, until the wait ends. */
  protected longestPause(): number {
    return patience(this.setup.timing);
  }

  receive(response: SipResponse): void {
    const { timing, events } = this.setup;
    if (this.state === 'completed') {
      if (response.status >= 300 && this.#ack !== undefined) this.transmit(this.#ack);
      return;
    }
    if (this.state === 'terminated' || (this.state === 'accepted' && response.status >= 300)) return;
    if (this.state === 'accepted' && response.status < 200) return;
    this.stopRepeating();
    if (response.status < 200) {
      this.state = 'proceeding';
      this.stopWaiting();
    } else if (response.status < 300) {
      // Forked and repeated 2xx are taken for as long as they may come.
      if (this.state !== 'accepted') this.wait(patience(timing), () => this.terminate());
      this.state = 'accepted';
    } else {
      this.#refused(response);
    }
    events.onResponse(response);
  }

  /** Nobody waits for the answer any more, but one that comes is taken, so that it can be hung up on. */
  override connectionLost(): void {
    super.connectionLost();
    if (this.state !== 'proceeding') return;
    this.expire();
    this.setup.events.onConnectionLost?.(connectionClosed());
  }

  #refused(response: SipResponse): void {
    this.state = 'completed';
    this.#ack = printMessage(ackForRefusal(this.setup.request, response));
    this.transmit(this.#ack);
    if (this.isReliable) this.terminate();
    else this.wait(absorbMs, () => this.terminate());
  }
}

/** The ACK that belongs to the transaction of the INVITE, RFC 3261 17.1.1.3. */
function ackForRefusal(invite: SipRequest, response: SipResponse): SipRequest {
  const routes = invite.headers.getAll('Route').map((value) => ({ name: 'Route', value }));
  return {
    ...invite,
    method: 'ACK',
    vias: invite.vias.slice(0, 1),
    to: response.to,
    cseq: { number: invite.cseq.number, method: 'ACK' },
    headers: new HeaderFields(routes),
    body: noBody,
  };
}

export class NonInviteClientTransaction extends ClientTransaction {
  protected longestPause(): number {
    return this.setup.timing.t2;
  }

  receive(response: SipResponse): void {
    const { timing, events } = this.setup;
    if (this.state !== 'trying' && this.state !== 'proceeding') return;
    if (response.status < 200) {
      if (this.state === 'trying' && !this.isReliable) this.repeatFrom(timing.t2);
      this.state = 'proceeding';
    } else {
      this.state = 'completed';
      this.stopRepeating();
      if (this.isReliable) this.terminate();
      else this.wait(timing.t4, () => this.terminate());
    }
    events.onResponse(response);
  }
}
