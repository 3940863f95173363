// The production clock, which runs evenly whatever happens to the machine's time; tests use their own.

/** Milliseconds since 1970, UTC. */
export type Clock = { now(): number };

/** Set at the start, and later only by dispatch/clock-sync.ts, which makes sure that nothing fires early. */
export class MonotonicClock implements Clock {
  #base: number;

  constructor(start: number) {
    this.#base = start - performance.now();
  }

  now(): number {
    return Math.floor(this.#base + performance.now());
  }

  moveBy(ms: number): void {
    this.#base += ms;
  }
}
