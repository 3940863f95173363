// The streams that a client uploads to hub methods.

import { ReceiveQueue } from '../live/receive-queue.ts';

/** The upload streams of one connection. */
export class Uploads {
  /** Created with the first upload: most clients have none. */
  #open: Map<string, ReceiveQueue<unknown>> | undefined;
  readonly #onRead: () => void;

  /** `onRead` is called after each item read, since there may be room again. */
  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  get size(): number {
    return this.#open?.size ?? 0;
  }

  /** The number of unread items in the stream that has the most. */
  get unread(): number {
    let most = 0;
    for (const upload of this.#open?.values() ?? []) most = Math.max(most, upload.unread);
    return most;
  }

  /** Returns undefined when one of the ids is in use. */
  open(ids: readonly string[]): readonly AsyncIterable<unknown>[] | undefined {
    if (ids.length === 0) return [];
    const open = this.#open ?? new Map<string, ReceiveQueue<unknown>>();
    this.#open = open;
    if (new Set(ids).size < ids.length || ids.some((id) => open.has(id))) return undefined;
    return ids.map((id) => {
      const upload = new ReceiveQueue<unknown>(this.#onRead);
      open.set(id, upload);
      return upload;
    });
  }

  /** Drops items of streams that no method reads any more: the client cannot know that yet. */
  add(id: string, item: unknown): void {
    this.#open?.get(id)?.add(item);
  }

  /** Ends a stream; one that failed gives its error to the method after the items before it. */
  end(id: string, error?: Error): void {
    this.#open?.get(id)?.end(error);
    this.#open?.delete(id);
  }

  endAll(error: Error): void {
    for (const id of [...(this.#open?.keys() ?? [])]) this.end(id, error);
  }
}
