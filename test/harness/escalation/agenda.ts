// What is to happen later, in order of time.

export type Agenda<R = void> = {
  /** What is planned for the same instant happens in the order in which it was planned. */
  plan(at: number, run: () => R): void;
  /** Takes what is planned next, if it is not after the end. */
  next(end: number): { readonly at: number; readonly run: () => R } | undefined;
};

type Entry = { readonly at: number; readonly order: number; readonly run: () => unknown };

export function newAgenda<R = void>(): Agenda<R> {
  const heap: Entry[] = [];
  let planned = 0;
  return {
    plan: (at, run) => push(heap, { at, order: planned++, run }),
    next: (end) => (heap[0] !== undefined && heap[0].at <= end ? (pop(heap) as never) : undefined),
  };
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

function push(heap: Entry[], entry: Entry): void {
  let place = heap.length;
  heap.push(entry);
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(entry, heap[parent] as Entry)) break;
    heap[place] = heap[parent] as Entry;
    place = parent;
  }
  heap[place] = entry;
}

function pop(heap: Entry[]): Entry {
  const [first] = heap;
  const last = heap.pop() as Entry;
  if (heap.length === 0) return last;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++;
    if (!isBefore(heap[child] as Entry, last)) break;
    heap[place] = heap[child] as Entry;
    place = child;
  }
  heap[place] = last;
  return first as Entry;
}
