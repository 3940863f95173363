// A first-in, first-out queue whose ends both take constant time.

/**
 * Items in one block. A queue is a chain of blocks: one list for all items would be copied whenever it grows, which with
 * many long queues leaves several times their memory behind.
 */
const blockLength = 128;

type Block<T> = { readonly items: (T | undefined)[]; next: Block<T> | undefined };

export class Fifo<T> {
  /** Both are undefined while the queue is empty, as most are. */
  #oldest: Block<T> | undefined;
  #newest: Block<T> | undefined;
  /** The places of the first item in the oldest block, and after the last one in the newest. */
  #begin = 0;
  #end = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#oldest?.items[this.#begin];
  }

  push(item: T): void {
    const { items } = this.#newest === undefined || this.#end === blockLength ? this.#addBlock() : this.#newest;
    items[this.#end] = item;
    this.#end += 1;
    this.#length += 1;
  }

  shift(): T | undefined {
    if (this.#oldest === undefined) return undefined;
    const { items, next } = this.#oldest;
    const item = items[this.#begin];
    items[this.#begin] = undefined;
    this.#begin += 1;
    this.#length -= 1;
    if (this.#length === 0) this.#oldest = this.#newest = undefined;
    else if (this.#begin === blockLength) {
      this.#oldest = next;
      this.#begin = 0;
    }
    return item;
  }

  *[Symbol.iterator](): Generator<T> {
    let block = this.#oldest;
    let place = this.#begin;
    for (let left = this.#length; left > 0; left--) {
      if (place === blockLength) {
        block = block?.next;
        place = 0;
      }
      yield block?.items[place] as T;
      place += 1;
    }
  }

  #addBlock(): Block<T> {
    const block: Block<T> = { items: new Array(blockLength), next: undefined };
    if (this.#newest === undefined) {
      this.#oldest = block;
      this.#begin = 0;
    } else this.#newest.next = block;
    this.#newest = block;
    this.#end = 0;
    return block;
  }
}
