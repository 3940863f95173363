// A fake clock that stands still until a test advances it.

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
