// The production clock, which runs evenly whatever happens to the machine's time; tests use their own.

/** Milliseconds since 1970, UTC. */
export type Clock = { now(): number };

/** For the waits of a process: `elapsed` goes on evenly when the clock is set. Milliseconds since any time. */
export type SteadyClock = Clock & { elapsed(): number };

/** Set at the start, and later only by dispatch/clock-sync.ts, which makes sure that nothing fires early. */
export class MonotonicClock implements SteadyClock {
  #base: number;

  constructor(start: number) {
    this.#base = start - performance.now();
  }

  now(): number {
    return Math.floor(this.#base + performance.now());
  }

  elapsed(): number {
    return performance.now();
  }

  moveBy(ms: number): void {
    this.#base += ms;
  }
}
