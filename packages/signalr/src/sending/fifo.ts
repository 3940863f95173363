// A first-in, first-out queue whose ends both take constant time.

/** Below this, taken places are not worth a copy of the rest. */
const leastCompacted = 1_024;

export class Fifo<T> {
  /** Created with the first item: most queues stay empty. */
  #items: (T | undefined)[] | undefined;
  /** The number of places at the beginning whose items were taken. */
  #taken = 0;

  get length(): number {
    return (this.#items?.length ?? 0) - this.#taken;
  }

  get first(): T | undefined {
    return this.#items?.[this.#taken];
  }

  push(item: T): void {
    this.#items ??= [];
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#items === undefined || this.length === 0) return undefined;
    const item = this.#items[this.#taken];
    this.#items[this.#taken] = undefined;
    this.#taken += 1;
    if (this.length === 0) this.#forget(undefined);
    else if (this.#taken >= leastCompacted && 2 * this.#taken >= this.#items.length) {
      this.#forget(this.#items.slice(this.#taken));
    }
    return item;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = this.#taken; index < (this.#items?.length ?? 0); index++) yield this.#items?.[index] as T;
  }

  #forget(items: (T | undefined)[] | undefined): void {
    this.#items = items;
    this.#taken = 0;
  }
}
