// A list that events change while it is read in pages: together they make one list, without gaps and without items that have
// left it.

/** A reading of the whole list. Its first page must be asked for after the events were subscribed to. */
export type Reading<T> = {
  /** Whether no newer reading has begun; an older one changes nothing. */
  readonly isCurrent: () => boolean;
  readonly add: (page: readonly T[]) => void;
  /** All pages were added: what is in none of them, and was in no event since the reading began, has left the list. */
  readonly end: () => void;
};

export type LiveListOptions<Id, T> = {
  readonly idOf: (item: T) => Id;
  /** Makes one item of what was read and the event about it; the event if absent. */
  readonly merge?: (read: T, event: T) => T;
};

/**
 * Events come in their order. An item that one was about since the reading began is as the newest event says: a page may
 * have been read before it, and what happened after it is in an event that will come.
 */
export class LiveList<Id, T> {
  readonly #idOf: (item: T) => Id;
  readonly #merge: (read: T, event: T) => T;
  readonly #items = new Map<Id, T>();
  /** Of the reading under way. */
  #touched = new Set<Id>();
  #reading: symbol | undefined;

  constructor({ idOf, merge = (_, event) => event }: LiveListOptions<Id, T>) {
    this.#idOf = idOf;
    this.#merge = merge;
  }

  get items(): ReadonlyMap<Id, T> {
    return this.#items;
  }

  /** An event: the item is in the list, as it is now. */
  put(item: T): void {
    const id = this.#idOf(item);
    const known = this.#items.get(id);
    this.#touched.add(id);
    this.#items.set(id, known === undefined ? item : this.#merge(known, item));
  }

  /** More is known of an item that is in the list: no event, which says nothing of whether it still is. */
  complete(item: T): void {
    const id = this.#idOf(item);
    if (this.#items.has(id)) this.#items.set(id, item);
  }

  /** An event: the item has left the list. */
  remove(id: Id): void {
    this.#touched.add(id);
    this.#items.delete(id);
  }

  /** Whether an event was about the item since the newest reading began. */
  isTouched(id: Id): boolean {
    return this.#touched.has(id);
  }

  /** Begins a reading; one that has not ended is given up. */
  read(): Reading<T> {
    const reading = Symbol('reading');
    const seen = new Set<Id>();
    this.#reading = reading;
    this.#touched = new Set();
    const isCurrent = (): boolean => this.#reading === reading;
    return {
      isCurrent,
      add: (page) => {
        if (!isCurrent()) return;
        for (const item of page) {
          seen.add(this.#idOf(item));
          this.#add(item);
        }
      },
      end: () => {
        if (!isCurrent()) return;
        for (const id of this.#items.keys()) if (!seen.has(id) && !this.#touched.has(id)) this.#items.delete(id);
      },
    };
  }

  /** Gives up the reading under way. */
  stop(): void {
    this.#reading = undefined;
  }

  #add(item: T): void {
    const id = this.#idOf(item);
    const known = this.#items.get(id);
    if (!this.#touched.has(id)) this.#items.set(id, item);
    else if (known !== undefined) this.#items.set(id, this.#merge(item, known));
  }
}

export type ListPage<T> = { readonly items: readonly T[]; readonly paging: { readonly total: number } };

/**
 * Adds all pages, each of the items after the last id of the one before: with an offset, items that leave the list while it
 * is read move others to pages that were read already. `total` is how many there are by the newest page.
 */
export async function readAfterIds<T extends { readonly id: number }>(
  reading: Reading<T>,
  readPage: (afterId: number) => Promise<ListPage<T>>,
  onProgress?: (read: number, total: number) => void,
): Promise<void> {
  for (let afterId = 0, read = 0; ; ) {
    const { items, paging } = await readPage(afterId);
    if (!reading.isCurrent()) return;
    reading.add(items);
    onProgress?.(read + items.length, read + paging.total);
    read += items.length;
    const last = items.at(-1);
    if (last === undefined || items.length >= paging.total) break;
    // A server that is older than this client does not know `afterId`, and would send the same page for ever.
    if (last.id <= afterId) throw new Error('The server sends the same page again: it is older than its client.');
    afterId = last.id;
  }
  reading.end();
}
