// Synchronises the clock of a node with the reference time of the database, and handles clock steps so that no timer
// fires early.

import type { Clock } from '../clock.ts';
import { aheadAt, clockDecision } from '../domain/clock-step.ts';
import { noteClockStep } from '../operations/system/clock-step.ts';
import { type ReferenceTime, readReferenceTime } from '../operations/system/reference-time.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

const pollEveryMs = 5_000;

type MovableClock = Clock & { moveBy(ms: number): void };

type ClockSyncParts = {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly feed: EventFeed;
  readonly onTrouble: (error: unknown) => void;
  readonly onStep: (byMs: number) => void;
};

export class ClockSync {
  readonly #parts: ClockSyncParts;
  readonly #unsubscribe: () => void;
  #loop: PollingLoop | undefined;
  #steps = 0;

  constructor(parts: ClockSyncParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.feed.subscribe((event) => this.#onEvent(event), 'but-frequent');
  }

  /**
   * Sets the clock before anything reads it, never earlier than the latest stored time. A reference behind that time
   * was set back, or its machine has not synchronised its clock since it booted: following it would make pending timers
   * wait longer by that difference, and again when the reference is corrected.
   */
  async start(): Promise<void> {
    const { clock } = this.#parts;
    const reference = await this.#reference();
    this.#steps = reference.steps;
    const shown = reference.now + aheadAt(reference, reference.now);
    clock.moveBy(Math.max(shown, reference.latest) - clock.now());
    await this.#compare();
    this.#loop = new PollingLoop(pollEveryMs, () => this.#compare(), this.#parts.onTrouble);
  }

  async poll(): Promise<void> {
    await this.#loop?.poll();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#loop?.stop();
  }

  async #reference(): Promise<ReferenceTime & { readonly roundTripMs: number }> {
    const begin = performance.now();
    const reference = await this.#parts.store.read(readReferenceTime, {});
    const roundTripMs = performance.now() - begin;
    return { ...reference, now: Math.round(reference.now + roundTripMs / 2), roundTripMs };
  }

  async #compare(): Promise<void> {
    const { store, clock, onStep } = this.#parts;
    const reference = await this.#reference();
    // Another node has stored a step whose event has not arrived here yet.
    if (reference.steps !== this.#steps) return;
    const decision = clockDecision(clock.now(), reference.now, reference, reference.roundTripMs);
    if (decision.kind === 'unsure') return;
    if (decision.kind === 'slew') {
      clock.moveBy(decision.byMs);
      return;
    }
    const { kind, setMs, byMs, aheadMs } = decision;
    onStep(kind === 'forward' ? setMs : -setMs);
    const step = { knownSteps: this.#steps, kind, setMs, byMs, aheadMs, since: reference.now };
    // Moves the clock at once, so that few rows are written with the old time.
    if (await store.write(noteClockStep, step)) this.#follow(step.knownSteps + 1, byMs);
  }

  /** The other nodes move their clocks when the event arrives. */
  #onEvent({ kind, data }: StoredEvent): void {
    if (kind === 'clock.stepped') this.#follow(Number(data.steps), Number(data.forwardMs));
  }

  #follow(steps: number, forwardMs: number): void {
    if (steps <= this.#steps) return;
    this.#steps = steps;
    this.#parts.clock.moveBy(forwardMs);
  }
}
