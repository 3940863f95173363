// The simulator channel: phones that are rows of the database and ring in the console, so that calling works without a
// provider.

import type { Clock } from '../clock.ts';
import { type CallMessage, type CodeMessage, type Delivery, isSpoken } from '../domain/calls/delivery.ts';
import { outcomeText, type PhoneOutcome } from '../domain/calls/phone-outcome.ts';
import { showCode } from '../operations/simulator/codes.ts';
import { getRing } from '../operations/simulator/phone-rows.ts';
import { cutLine, ringPhone, showText, tellPhone } from '../operations/simulator/phones.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { type Channel, callEnded, leaseLost } from './channel.ts';

const ringMs = 30_000;
const longestCallMs = 180_000;

type Ringing = { readonly callId: number; readonly resolve: (delivery: Delivery) => void; since: number };

export class Simulator implements Channel {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ringing = new Map<number, Ringing>();
  readonly #unsubscribe: () => void;
  readonly #onTrouble: (error: unknown) => void;

  constructor(store: Store, clock: Clock, feed: EventFeed, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onTrouble = onTrouble;
    this.#unsubscribe = feed.subscribe((event) => this.#onEvent(event), 'but-frequent');
  }

  async deliver(message: CallMessage, signal: AbortSignal): Promise<Delivery> {
    if (signal.aborted) return deliveryOf('cancelled');
    if (!isSpoken(message.channel)) {
      await this.#store.write(showText, { message });
      return { kind: 'delivered', detail: 'shown on the simulated phone' };
    }
    if ((await this.#store.write(ringPhone, { message })) === 'busy') return deliveryOf('busy');
    return this.#ring(message, signal);
  }

  /** A ringing phone is a row, and can ring for longer than a shutdown takes. */
  survivesShutdown({ channel }: CallMessage): boolean {
    return isSpoken(channel);
  }

  /** Shown as a text on every channel: a code that is only spoken is easily missed. */
  async sendCode(message: CodeMessage): Promise<Delivery> {
    await this.#store.write(showCode, { message });
    return { kind: 'delivered', detail: 'shown on the simulated phone' };
  }

  stop(): void {
    this.#unsubscribe();
  }

  async #ring({ attemptId, callId }: CallMessage, signal: AbortSignal): Promise<Delivery> {
    const { promise: ended, resolve } = Promise.withResolvers<Delivery>();
    const ringing: Ringing = { callId, resolve, since: this.#clock.now() };
    this.#ringing.set(attemptId, ringing);
    const cut = (): void => {
      if (signal.reason === leaseLost) resolve(deliveryOf('cancelled'));
      else if (signal.reason === callEnded) void this.#endOrTell(attemptId);
      else void this.#cut(attemptId, 'cancelled', 'any');
    };
    signal.addEventListener('abort', cut, { once: true });
    try {
      // The call may have ended before this node waited for it: after a restart, or immediately.
      const ring = await this.#store.read(getRing, { attemptId });
      if (ring?.state === 'ended') return deliveryOf(ring.outcome);
      if (ring !== undefined) ringing.since = ring.created_at;
      if (signal.aborted) cut();
      return await ended;
    } finally {
      signal.removeEventListener('abort', cut);
      this.#ringing.delete(attemptId);
    }
  }

  #onEvent({ kind, subjectId, data }: StoredEvent): void {
    if (kind === 'call.cause-ended')
      for (const [attemptId, { callId }] of this.#ringing) if (callId === subjectId) void this.#tell(attemptId);
    if (kind === 'phone.ended')
      this.#ringing.get(Number(data.attemptId))?.resolve(deliveryOf(String(data.outcome) as PhoneOutcome));
  }

  poll(): void {
    const now = this.#clock.now();
    for (const [attemptId, { since }] of this.#ringing) {
      if (now - since >= longestCallMs) void this.#cut(attemptId, 'no-answer', 'any');
      else if (now - since >= ringMs) void this.#cut(attemptId, 'no-answer', 'ringing');
    }
  }

  /** Stops a phone that rings. A person who has answered hears what became of the alarm, and then the call ends. */
  async #endOrTell(attemptId: number): Promise<void> {
    await this.#cut(attemptId, 'cancelled', 'ringing');
    await this.#tell(attemptId);
  }

  async #tell(attemptId: number): Promise<void> {
    await this.#store.write(tellPhone, { attemptId }).catch(this.#onTrouble);
  }

  async #cut(attemptId: number, outcome: PhoneOutcome, which: 'ringing' | 'any'): Promise<void> {
    try {
      const ended = await this.#store.write(cutLine, { attemptId, outcome, which });
      if (ended !== undefined) this.#ringing.get(attemptId)?.resolve(deliveryOf(ended));
    } catch (error) {
      this.#onTrouble(error);
    }
  }
}

const codes = { rejected: 'declined', busy: 'busy', 'no-answer': 'noAnswer', cancelled: 'cancelled' } as const;

function deliveryOf(outcome: PhoneOutcome): Delivery {
  if (outcome === 'answered') return { kind: 'delivered', detail: 'answered' };
  const reason = outcomeText(outcome);
  if (outcome === 'wrong-pin')
    return { kind: 'failed', retry: 'never', outcome: 'locked', failure: 'wrong-pin', reason };
  return { kind: 'failed', retry: 'later', outcome: codes[outcome], reason };
}
