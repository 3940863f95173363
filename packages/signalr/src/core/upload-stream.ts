// What a client streams up, item by item, to the method that reads it.

import { Incoming } from './incoming.ts';

/** The upload streams of one connection. */
export class Uploads {
  /** Made for the first: most clients have none. */
  #open: Map<string, Incoming<unknown>> | undefined;
  readonly #onRead: () => void;

  /** `onRead` is told when an item was read, so that there may be room again. */
  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  get size(): number {
    return this.#open?.size ?? 0;
  }

  /** The unread items of the stream that has most of them. */
  get unread(): number {
    let most = 0;
    for (const upload of this.#open?.values() ?? []) most = Math.max(most, upload.unread);
    return most;
  }

  /** Undefined when one of the ids is taken already. */
  open(ids: readonly string[]): readonly AsyncIterable<unknown>[] | undefined {
    if (ids.length === 0) return [];
    const open = this.#open ?? new Map<string, Incoming<unknown>>();
    this.#open = open;
    if (new Set(ids).size < ids.length || ids.some((id) => open.has(id))) return undefined;
    return ids.map((id) => {
      const upload = new Incoming<unknown>(this.#onRead);
      open.set(id, upload);
      return upload;
    });
  }

  /** Items of streams that nobody reads any more are dropped: their client cannot know yet. */
  add(id: string, item: unknown): void {
    this.#open?.get(id)?.add(item);
  }

  end(id: string, error?: string): void {
    this.#open?.get(id)?.end(error);
    this.#open?.delete(id);
  }

  endAll(error: string): void {
    for (const id of [...(this.#open?.keys() ?? [])]) this.end(id, error);
  }
}
