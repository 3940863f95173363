// A clock that stands still until a test advances it.

export type FakeClock = { now(): number; advance(ms: number): void };

export function fakeClock(start = Date.UTC(2026, 10, 15, 12)): FakeClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
