// What the decisions about single people depend on. Pure.

import type { DecisionTime, Depends } from '../world.ts';

const forever: Depends = {
  until: Number.POSITIVE_INFINITY,
  untilCivil: Number.POSITIVE_INFINITY,
  onWays: false,
};

export function both(one: Depends, other: Depends): Depends {
  return {
    until: Math.min(one.until, other.until),
    untilCivil: Math.min(one.untilCivil, other.untilCivil),
    onWays: one.onWays || other.onWays,
  };
}

/** What is decided for a person as a whole concerns every cause that they are called for. */
export class PersonScopes {
  readonly #time: DecisionTime;
  readonly #depends = new Map<number, Depends>();

  constructor(time: DecisionTime) {
    this.#time = time;
  }

  of<T>(userId: number, work: () => T): T {
    const { result, depends } = this.#time.during(work);
    this.#depends.set(userId, both(this.dependsOf(userId), depends));
    return result;
  }

  noteWays(): void {
    this.#time.noteWays();
  }

  dependsOf(userId: number): Depends {
    return this.#depends.get(userId) ?? forever;
  }
}
