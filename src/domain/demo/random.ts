// Numbers that look random and follow from a seed, so that the demo plant is the same each time. Pure.

export type Random = {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  between(least: number, most: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks one of a list that is not empty, with a probability by weight. */
  pickByWeight<T>(list: readonly T[], weightOf: (one: T) => number): T;
};

/** The generator mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = list[Math.floor(next() * list.length)];
      if (picked === undefined) throw new Error('There is nothing to pick from');
      return picked;
    },
    pickByWeight: (list, weightOf) => {
      let left = next() * list.reduce((sum, one) => sum + weightOf(one), 0);
      for (const one of list) {
        left -= weightOf(one);
        if (left < 0) return one;
      }
      throw new Error('There is nothing to pick from');
    },
  };
}
