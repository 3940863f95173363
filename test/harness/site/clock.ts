// Clocks for servers of tests: one that stands still until a test advances it, and one that also goes on by itself.

import type { Clock } from '../../../src/clock.ts';

export type FakeClock = Clock & { advance(ms: number): void };

export function fakeClock(start = Date.UTC(2026, 10, 15, 12)): FakeClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

/** For tests that compare the times of the server with those of another program, whose clock goes on. */
export function runningClock(): FakeClock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    advance(ms) {
      aheadMs += ms;
    },
  };
}
