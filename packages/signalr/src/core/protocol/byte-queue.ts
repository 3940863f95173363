// Bytes that have come in and wait for the rest of their message, at little cost however small the pieces are.

const empty: Buffer = Buffer.alloc(0);

export class ByteQueue {
  #store: Buffer = empty;
  #isOwn = false;
  #start = 0;
  #end = 0;

  /** What is there, valid until the next change. */
  get view(): Buffer {
    return this.#store.subarray(this.#start, this.#end);
  }

  append(chunk: Buffer): void {
    if (this.#start === this.#end) {
      // Nothing waits, as nearly always: the chunk itself is used, without a copy.
      this.#hold(chunk, chunk.length, false);
      return;
    }
    // Doubling keeps a message that comes byte by byte from being copied again for each of them.
    if (!this.#isOwn || this.#end + chunk.length > this.#store.length) {
      const waiting = this.view;
      const store = Buffer.allocUnsafe(2 * (waiting.length + chunk.length));
      this.#hold(store, waiting.copy(store), true);
    }
    this.#end += chunk.copy(this.#store, this.#end);
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    this.#start += count;
    if (this.#start >= this.#end) this.clear();
  }

  clear(): void {
    this.#hold(empty, 0, false);
  }

  #hold(store: Buffer, end: number, isOwn: boolean): void {
    this.#store = store;
    this.#start = 0;
    this.#end = end;
    this.#isOwn = isOwn;
  }
}
