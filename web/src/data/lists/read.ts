// What was read from the server. It is opened together with what is known of it: whoever shows it has to say what stands in
// its place before it was read, so that nothing that is unknown looks like none. Pure.

import { hasFigures, type ListState, unknownFigure } from './list-state.ts';

type Unread = Extract<ListState, { readonly kind: 'reading' | 'failed' }>;
type Known = Exclude<ListState, Unread>;

export type Cases<T, R> = {
  readonly known: (value: T, state: Known) => R;
  /** What stands in its place; none and zero would be untrue. */
  readonly unread: (state: Unread) => R;
};

export class Read<T> {
  readonly #value: T | undefined;
  readonly state: ListState;
  /** Why the last try failed. */
  readonly error: unknown;

  constructor(state: ListState, value: T | undefined, error: unknown) {
    this.state = state;
    this.#value = value;
    this.error = error;
  }

  when<R>({ known, unread }: Cases<T, R>): R {
    const { state } = this;
    return state.kind === 'read' || state.kind === 'stale' ? known(this.#value as T, state) : unread(state);
  }

  map<U>(change: (value: T) => U): Read<U> {
    const value = this.when({ known: (known) => ({ changed: change(known) }), unread: () => undefined });
    return new Read<U>(this.state, value?.changed, this.error);
  }

  /** As text: a dash before it was read. */
  figure(of: (value: T) => number | string): string {
    return this.when({ known: (value) => String(of(value)), unread: () => unknownFigure });
  }

  /** What something is called; `otherwise` before it was read, and for what it does not name. */
  name(of: (value: T) => string | undefined, otherwise: string): string {
    return this.when({ known: (value) => of(value) ?? otherwise, unread: () => otherwise });
  }

  /** Whether it is known that something is so. */
  isKnown(that: (value: T) => boolean = () => true): boolean {
    return this.when({ known: that, unread: () => false });
  }

  /**
   * What can be chosen from, or stands beside something else as a mark: nothing before it was read. Not for what is counted, or
   * whose absence says something; the frame says meanwhile that it is being read.
   */
  choices<C>(of: (value: T) => Iterable<C>): readonly C[] {
    return this.when({ known: (value) => [...of(value)], unread: () => [] });
  }
}

/** Both, as soon as both were read; one that failed is told before one that is being read. */
export function both<A, B>(one: Read<A>, other: Read<B>): Read<readonly [A, B]> {
  const [first, second] = [one.state, other.state].toSorted((a, b) => rank[a.kind] - rank[b.kind]);
  const error = one.error ?? other.error;
  if (first === undefined || second === undefined || !hasFigures(first))
    return new Read<readonly [A, B]>(first ?? one.state, undefined, error);
  const pair = one.when<readonly [A, B] | undefined>({
    known: (a) => other.when<readonly [A, B] | undefined>({ known: (b) => [a, b], unread: () => undefined }),
    unread: () => undefined,
  });
  return new Read(first, pair, error);
}

const rank = { failed: 0, reading: 1, stale: 2, read: 3 } as const;
