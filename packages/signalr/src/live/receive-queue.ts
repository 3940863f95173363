// A queue of received items that an async iterator reads.

export class ReceiveQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  readonly #onRead: () => void;
  #isOver = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  /** `onRead` is called after each item read, since there may be room again. */
  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  get unread(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Ends the queue; the reader gets the remaining items and then the error, if there is one. */
  end(error?: Error): void {
    this.#isOver = true;
    this.#error = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#items.length > 0) {
        const item = this.#items.shift() as T;
        this.#onRead();
        yield item;
      }
      if (this.#error !== undefined) throw this.#error;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
