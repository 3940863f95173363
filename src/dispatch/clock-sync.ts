// Keeps the clock of a node with the time that all nodes of the database share; when that is set, nothing fires early.

import type { Clock } from '../clock.ts';
import { aheadAt, clockDecision } from '../domain/clock-step.ts';
import { noteClockStep } from '../operations/system/clock-step.ts';
import { type ReferenceTime, readReferenceTime } from '../operations/system/reference-time.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

const pollEveryMs = 5_000;

/** A clock that can be moved. */
type MovableClock = Clock & { moveBy(ms: number): void };

type ClockKeeperParts = {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly feed: EventFeed;
  readonly onTrouble: (error: unknown) => void;
  readonly onStep: (byMs: number) => void;
};

export class ClockSync {
  readonly #parts: ClockKeeperParts;
  readonly #forget: () => void;
  #loop: PollingLoop | undefined;
  #steps = 0;

  constructor(parts: ClockKeeperParts) {
    this.#parts = parts;
    this.#forget = parts.feed.subscribe((event) => this.#hear(event), 'but-alarms');
  }

  /**
   * Sets the clock before anything goes by it; never to before what was stored. A reference that is behind that was set back
   * meanwhile, or has not been set yet since its machine was switched on: what waits would wait longer by that much, and once
   * more when it is put right.
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

  poll(): void {
    this.#loop?.poll();
  }

  async stop(): Promise<void> {
    this.#forget();
    await this.#loop?.stop();
  }

  async #reference(): Promise<ReferenceTime & { readonly askedMs: number }> {
    const begin = performance.now();
    const reference = await this.#parts.store.read(readReferenceTime, {});
    const askedMs = performance.now() - begin;
    return { ...reference, now: Math.round(reference.now + askedMs / 2), askedMs };
  }

  async #compare(): Promise<void> {
    const { store, clock, onStep } = this.#parts;
    const reference = await this.#reference();
    // Another node has told of a step that is not heard of here yet.
    if (reference.steps !== this.#steps) return;
    const decision = clockDecision(clock.now(), reference.now, reference, reference.askedMs);
    if (decision.kind === 'unsure') return;
    if (decision.kind === 'slew') {
      clock.moveBy(decision.byMs);
      return;
    }
    const { kind, setMs, byMs, aheadMs } = decision;
    onStep(kind === 'forward' ? setMs : -setMs);
    const step = { knownSteps: this.#steps, kind, setMs, byMs, aheadMs, since: reference.now };
    // At once, so that little is written in between by the time there was.
    if (await store.write(noteClockStep, step)) this.#follow(step.knownSteps + 1, byMs);
  }

  /** The other nodes move when they hear of it. */
  #hear({ kind, data }: StoredEvent): void {
    if (kind === 'clock.stepped') this.#follow(Number(data.steps), Number(data.forwardMs));
  }

  #follow(steps: number, forwardMs: number): void {
    if (steps <= this.#steps) return;
    this.#steps = steps;
    this.#parts.clock.moveBy(forwardMs);
  }
}
