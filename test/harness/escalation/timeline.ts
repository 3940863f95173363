// A value that changes over time, as it was at every instant.

export class Timeline<T> {
  readonly #times: number[] = [];
  readonly #values: T[] = [];

  constructor(at: number, first: T) {
    this.set(at, first);
  }

  /** Of several values of one instant the last counts. */
  set(at: number, value: T): void {
    this.#times.push(at);
    this.#values.push(value);
  }

  at(instant: number): T {
    return this.#values[this.#placeOf(instant)] as T;
  }

  get last(): T {
    return this.#values.at(-1) as T;
  }

  get since(): number {
    return this.#times[0] as number;
  }

  /** All values in order, each with the time at which it began. */
  entries(): readonly { readonly at: number; readonly value: T }[] {
    return this.#times.map((at, place) => ({ at, value: this.#values[place] as T }));
  }

  /** The values that held at any time from `from` to `to`. */
  during(from: number, to: number): readonly T[] {
    const first = this.#placeOf(from);
    const values: T[] = [];
    for (let place = first; place < this.#times.length; place++) {
      if (place > first && (this.#times[place] as number) > to) break;
      values.push(this.#values[place] as T);
    }
    return values;
  }

  #placeOf(instant: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] as number) <= instant) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
