// Clocks for servers of tests: one that stands still until a test advances it, and one that also goes on by itself.

import type { SteadyClock } from '../../../src/clock.ts';

export type FakeClock = SteadyClock & {
  advance(ms: number): void;
  /** Sets the clock, while no time passes. */
  moveBy(ms: number): void;
  /** By how much the clock was set ahead since a time that it showed. */
  movedSince(at: number): number;
};

type Move = { readonly at: number; readonly ms: number };

function movedSince(moves: readonly Move[], since: number): number {
  return moves.filter(({ at, ms }) => ms > 0 && at >= since).reduce((sum, { ms }) => sum + ms, 0);
}

export function fakeClock(start = Date.UTC(2026, 10, 15, 12)): FakeClock {
  let now = start;
  let movedMs = 0;
  const moves: Move[] = [];
  return {
    now: () => now,
    elapsed: () => now - movedMs,
    moveBy(ms) {
      moves.push({ at: now, ms });
      now += ms;
      movedMs += ms;
    },
    movedSince: (at) => movedSince(moves, at),
    advance(ms) {
      now += ms;
    },
  };
}

/** For tests that compare the times of the server with those of another program, whose clock goes on. */
export function runningClock(): FakeClock {
  let aheadMs = 0;
  let movedMs = 0;
  const moves: Move[] = [];
  return {
    now: () => Date.now() + aheadMs + movedMs,
    elapsed: () => Date.now() + aheadMs,
    moveBy(ms) {
      moves.push({ at: Date.now() + aheadMs + movedMs, ms });
      movedMs += ms;
    },
    movedSince: (at) => movedSince(moves, at),
    advance(ms) {
      aheadMs += ms;
    },
  };
}
