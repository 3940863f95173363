// Clocks for servers of tests: one that stands still until a test advances it, and one that also goes on by itself.

import type { SteadyClock } from '../../../src/clock.ts';

export type FakeClock = SteadyClock & {
  advance(ms: number): void;
  /** Sets the clock, while no time passes. */
  moveBy(ms: number): void;
};

export function fakeClock(start = Date.UTC(2026, 10, 15, 12)): FakeClock {
  let now = start;
  let movedMs = 0;
  return {
    now: () => now,
    elapsed: () => now - movedMs,
    moveBy(ms) {
      now += ms;
      movedMs += ms;
    },
    advance(ms) {
      now += ms;
    },
  };
}

/** For tests that compare the times of the server with those of another program, whose clock goes on. */
export function runningClock(): FakeClock {
  let aheadMs = 0;
  let movedMs = 0;
  return {
    now: () => Date.now() + aheadMs + movedMs,
    elapsed: () => Date.now() + aheadMs,
    moveBy(ms) {
      movedMs += ms;
    },
    advance(ms) {
      aheadMs += ms;
    },
  };
}
