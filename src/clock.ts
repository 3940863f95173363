// The clock of production: it runs evenly from where it was set, whatever is done to the machine's time. Tests bring their
// own.

/** Milliseconds since 1970, UTC. */
export type Clock = { now(): number };

/** Set once at the start, and after that only by whoever sees to it that nothing fires early: dispatch/clock-keeper.ts. */
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
