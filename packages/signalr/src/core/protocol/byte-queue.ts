// Received bytes that wait for the rest of their message, with little copying however small the chunks are.

const empty: Buffer = Buffer.alloc(0);

export class ByteQueue {
  #store: Buffer = empty;
  #isOwn = false;
  #start = 0;
  #end = 0;

  /** All queued bytes, valid until the next change. */
  get view(): Buffer {
    return this.#store.subarray(this.#start, this.#end);
  }

  append(chunk: Buffer): void {
    if (this.#start === this.#end) {
      // The queue is nearly always empty: then it uses the chunk itself, without a copy.
      this.#hold(chunk, chunk.length, false);
      return;
    }
    // Doubling the buffer avoids copying a message again for each byte of it.
    if (!this.#isOwn || this.#end + chunk.length > this.#store.length) {
      const waiting = this.view;
      const store = Buffer.allocUnsafe(2 * (waiting.length + chunk.length));
      this.#hold(store, waiting.copy(store), true);
    }
    this.#end += chunk.copy(this.#store, this.#end);
  }

  /** Removes the first `count` bytes. */
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
