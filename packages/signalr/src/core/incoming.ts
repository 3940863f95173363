// What comes in and is kept until it is read, item by item.

export class Incoming<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  readonly #onRead: () => void;
  #isOver = false;
  #error: string | undefined;
  #wake: (() => void) | undefined;

  /** `onRead` is told when an item was read, so that there may be room again. */
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

  /** Nothing more will come; an error is thrown to the reader after what is there. */
  end(error?: string): void {
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
      if (this.#error !== undefined) throw new Error(this.#error);
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
