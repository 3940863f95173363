// A pseudo-random number generator: the same seed gives the same numbers.

export type Chance = {
  /** An integer from `low` up to, but not including, `high`. */
  int(low: number, high: number): number;
  /** True with the given probability in percent. */
  percent(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
};

/** Mulberry32: small, and random enough for tests. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low));
  return {
    int,
    percent: (percent) => next() * 100 < percent,
    pick: (from) => from[int(0, from.length)] as never,
  };
}
