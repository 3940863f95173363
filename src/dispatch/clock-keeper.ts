// Keeps the clock of a node with the time that all nodes of the database share; when that is set, nothing fires early.

import type { Clock } from '../clock.ts';
import { aheadAt, clockDecision } from '../domain/steady-time.ts';
import { noteClockStep } from '../operations/clock-step.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/events.ts';
import { type ReferenceTime, readReferenceTime } from '../store/reference-time.ts';
import type { Store } from '../store/store.ts';

const lookEveryMs = 5_000;

/** A clock that can be moved. */
export type MovableClock = Clock & { moveBy(ms: number): void };

export type ClockKeeperParts = {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly feed: EventFeed;
  readonly onTrouble: (error: unknown) => void;
  readonly onStep: (byMs: number) => void;
};

export class ClockKeeper {
  readonly #parts: ClockKeeperParts;
  readonly #forget: () => void;
  #timer: NodeJS.Timeout | undefined;
  #steps = 0;
  #current: Promise<void> | undefined;

  constructor(parts: ClockKeeperParts) {
    this.#parts = parts;
    this.#forget = parts.feed.subscribe((event) => this.#hear(event), 'but-alarms');
  }

  /** Sets the clock before anything goes by it. */
  async start(): Promise<void> {
    const { clock } = this.#parts;
    const reference = await this.#reference();
    this.#steps = reference.steps;
    clock.moveBy(reference.now + aheadAt(reference, reference.now) - clock.now());
    this.#timer = setInterval(() => this.look(), lookEveryMs);
  }

  look(): void {
    this.#current ??= this.#compare()
      .catch(this.#parts.onTrouble)
      .finally(() => {
        this.#current = undefined;
      });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#forget();
    await this.#current;
  }

  async #reference(): Promise<ReferenceTime> {
    const begin = performance.now();
    const reference = await this.#parts.store.read(readReferenceTime, {});
    return { ...reference, now: Math.round(reference.now + (performance.now() - begin) / 2) };
  }

  async #compare(): Promise<void> {
    const { store, clock, onStep } = this.#parts;
    const reference = await this.#reference();
    // Another node has told of a step that is not heard of here yet.
    if (reference.steps !== this.#steps) return;
    const decision = clockDecision(clock.now(), reference.now, reference);
    if (decision.kind === 'slew') {
      clock.moveBy(decision.byMs);
      return;
    }
    const { kind, byMs, aheadMs } = decision;
    onStep(kind === 'forward' ? byMs : -byMs);
    await store.write(noteClockStep, { knownSteps: this.#steps, kind, byMs, aheadMs, since: reference.now });
  }

  /** Every node moves when it hears of the step, also the one that told. */
  #hear({ kind, data }: StoredEvent): void {
    if (kind !== 'clock.stepped' || Number(data.steps) <= this.#steps) return;
    this.#steps = Number(data.steps);
    this.#parts.clock.moveBy(Number(data.forwardMs));
  }
}
