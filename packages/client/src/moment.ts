// A moment by two clocks: the one of the machine, which somebody may set, and one that is never set but may stand still while the
// machine sleeps.

export type Moment = { readonly wall: number; readonly steady: number };

export function momentNow(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/** How many milliseconds have passed: the longer time of the two clocks, so that silence is never taken for shorter than it is. */
export function passedSince(from: Moment, now: Moment): number {
  return Math.max(0, now.wall - from.wall, now.steady - from.steady);
}
