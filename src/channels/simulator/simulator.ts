// The simulated provider: its phones are rows of the database and ring in the console, so that calling works without a
// provider; faults can be switched on.

import type { SteadyClock } from '../../clock.ts';
import { type CallMessage, type CodeMessage, type Delivery, isSpoken } from '../../domain/calls/delivery.ts';
import type { PhoneOutcome } from '../../domain/calls/phone-outcome.ts';
import type { SimulatorSettings } from '../../domain/channels/kinds/simulator.ts';
import { type ProviderReason, storedReason } from '../../domain/channels/words/provider-reason.ts';
import { guard } from '../../guard.ts';
import { callEnded, leaseLost, type OpenProvider, type Report } from '../channel.ts';
import type { SimulatedPhones } from './phones.ts';

const ringMs = 30_000;
const longestCallMs = 180_000;
const slowMs = 3_000;
const lateReceiptMs = 30_000;
/** How long an answering machine listens. */
const machineMs = 20_000;

/** Times are those of `elapsed`, which goes on evenly when the clock of the machine is set. */
type Ringing = { readonly resolve: (delivery: Delivery) => void; since: number };
type Timed = { readonly at: number; readonly run: () => void };

export class Simulator implements OpenProvider {
  readonly #phones: SimulatedPhones;
  readonly #clock: SteadyClock;
  readonly #settings: SimulatorSettings;
  readonly #onTrouble: (error: unknown) => void;
  readonly #ringing = new Map<number, Ringing>();
  readonly #timed = new Set<Timed>();
  readonly #stopListening: () => void;

  constructor(
    phones: SimulatedPhones,
    clock: SteadyClock,
    settings: SimulatorSettings,
    onTrouble: (error: unknown) => void,
  ) {
    this.#phones = phones;
    this.#clock = clock;
    this.#settings = settings;
    this.#onTrouble = onTrouble;
    this.#stopListening = phones.listen({
      ended: (attemptId, outcome) => this.#ringing.get(attemptId)?.resolve(deliveryOf(outcome)),
      causesEnded: () => {
        for (const attemptId of this.#ringing.keys()) void this.#tell(attemptId);
      },
    });
  }

  async deliver(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery> {
    if (signal.aborted) return deliveryOf('cancelled');
    const refusal = await this.#refuse(signal);
    if (refusal !== undefined) return refusal;
    report({ kind: 'accepted', ref: `simulated-${message.attemptId}` });
    return isSpoken(message.channel) ? this.#call(message, report, signal) : this.#write(message, report);
  }

  async check(): Promise<void> {
    if (this.#settings.fault === 'dead') throw new Error(storedReason({ code: 'simulator-dead-check' }));
  }

  /** A ringing phone is a row, and can ring for longer than a shutdown takes. */
  survivesShutdown({ channel }: CallMessage): boolean {
    return isSpoken(channel);
  }

  /** Shown as a text on every channel: a code that is only spoken is easily missed. */
  async sendCode(message: CodeMessage): Promise<Delivery> {
    await this.#phones.showCode(message);
    return { kind: 'delivered', detail: storedReason({ code: 'shown' }) };
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#timed.clear();
  }

  poll(): void {
    const now = this.#clock.elapsed();
    for (const timed of this.#timed) {
      if (timed.at > now) continue;
      this.#timed.delete(timed);
      timed.run();
    }
    for (const [attemptId, { since }] of this.#ringing) {
      if (now - since >= longestCallMs) void this.#cut(attemptId, 'no-answer', 'any');
      else if (now - since >= ringMs) void this.#cut(attemptId, 'no-answer', 'ringing');
    }
  }

  /** Returns the outcome of a provider with a fault that keeps it from taking anything, after its delay. */
  async #refuse(signal: AbortSignal): Promise<Delivery | undefined> {
    const { fault } = this.#settings;
    if (fault === 'dead') return downDelivery({ code: 'simulator-dead' });
    if (fault === 'bad-number')
      return { kind: 'failed', retry: 'never', outcome: 'badNumber', reason: storedReason({ code: 'no-such-number' }) };
    if (fault === 'silent') await aborted(signal);
    if (fault === 'slow') await Promise.race([this.#after(slowMs), aborted(signal)]);
    return signal.aborted ? deliveryOf('cancelled') : undefined;
  }

  async #call(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery> {
    const { fault } = this.#settings;
    if (fault === 'busy') return deliveryOf('busy');
    if (fault === 'no-answer') {
      report({ kind: 'ringing' });
      await Promise.race([this.#after(ringMs), aborted(signal)]);
      return deliveryOf(signal.aborted ? 'cancelled' : 'no-answer');
    }
    if ((await this.#phones.ring(message)) === 'busy') return deliveryOf('busy');
    if (fault === 'voicemail') return this.#ringMachine(message, signal);
    return this.#ring(message, signal);
  }

  async #write(message: CallMessage, report: Report): Promise<Delivery> {
    const { fault } = this.#settings;
    if (fault === 'lying-receipt') {
      for (const kind of ['read', 'delivered', 'read', 'delivered'] as const) report({ kind });
      return { kind: 'delivered', detail: storedReason({ code: 'claimed' }) };
    }
    await this.#phones.showText(message);
    if (fault === 'late-receipt') this.#at(lateReceiptMs, () => report({ kind: 'delivered' }));
    return { kind: 'delivered', detail: storedReason({ code: 'shown' }) };
  }

  async #ring({ attemptId }: CallMessage, signal: AbortSignal): Promise<Delivery> {
    const { promise: ended, resolve } = Promise.withResolvers<Delivery>();
    const ringing: Ringing = { resolve, since: this.#clock.elapsed() };
    this.#ringing.set(attemptId, ringing);
    const cut = (): void => guard(this.#onTrouble, () => this.#end(attemptId, signal.reason, resolve));
    signal.addEventListener('abort', cut, { once: true });
    try {
      // The call may have ended before this node waited for it: after a restart, or immediately.
      const ring = await this.#phones.getRing(attemptId);
      if (ring?.state === 'ended') return deliveryOf(ring.outcome);
      if (ring !== undefined) ringing.since = this.#clock.elapsed() - (this.#clock.now() - ring.since);
      if (signal.aborted) cut();
      return await ended;
    } finally {
      signal.removeEventListener('abort', cut);
      this.#ringing.delete(attemptId);
    }
  }

  async #end(attemptId: number, reason: unknown, resolve: (delivery: Delivery) => void): Promise<void> {
    if (reason === leaseLost) resolve(deliveryOf('cancelled'));
    else if (reason === callEnded) await this.#endOrTell(attemptId);
    else await this.#cut(attemptId, 'cancelled', 'any');
  }

  /** An answering machine picks up, and hangs up without a key. */
  async #ringMachine(message: CallMessage, signal: AbortSignal): Promise<Delivery> {
    await this.#phones.pickUp(message.userId).catch(this.#onTrouble);
    await Promise.race([this.#after(machineMs), aborted(signal)]);
    await this.#phones.cut(message.attemptId, 'no-answer', 'any');
    if (signal.aborted) return deliveryOf('cancelled');
    return { kind: 'failed', retry: 'later', outcome: 'voicemail', reason: storedReason({ code: 'machine' }) };
  }

  /** Stops a phone that rings. A person who has answered hears what became of the alarm, and then the call ends. */
  async #endOrTell(attemptId: number): Promise<void> {
    await this.#cut(attemptId, 'cancelled', 'ringing');
    await this.#tell(attemptId);
  }

  async #tell(attemptId: number): Promise<void> {
    await this.#phones.tell(attemptId).catch(this.#onTrouble);
  }

  async #cut(attemptId: number, outcome: PhoneOutcome, which: 'ringing' | 'any'): Promise<void> {
    try {
      const ended = await this.#phones.cut(attemptId, outcome, which);
      if (ended !== undefined) this.#ringing.get(attemptId)?.resolve(deliveryOf(ended));
    } catch (error) {
      this.#onTrouble(error);
    }
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => this.#at(ms, resolve));
  }

  #at(ms: number, run: () => void): void {
    this.#timed.add({ at: this.#clock.elapsed() + ms, run });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

const codes = { rejected: 'declined', busy: 'busy', 'no-answer': 'noAnswer', cancelled: 'cancelled' } as const;

function downDelivery(reason: ProviderReason): Delivery {
  return { kind: 'failed', retry: 'later', outcome: 'providerDown', fault: 'down', reason: storedReason(reason) };
}

function deliveryOf(outcome: PhoneOutcome): Delivery {
  if (outcome === 'answered') return { kind: 'delivered', detail: storedReason({ code: 'answered', failures: [] }) };
  if (outcome === 'wrong-pin') {
    const reason = storedReason({ code: 'wrong-pin' });
    return { kind: 'failed', retry: 'never', outcome: 'locked', failure: 'wrong-pin', reason };
  }
  return { kind: 'failed', retry: 'later', outcome: codes[outcome], reason: storedReason({ code: outcome }) };
}
