// What is known of a list that is read from the server: only one that was read whole has figures. Pure.

export type Failure = {
  /** Why it could not be read, as the server says it; empty: the server did not answer. */
  readonly reason: string;
  /** When it is tried again; undefined: it was refused, and asking again would not help. */
  readonly retryAt: number | undefined;
};

export type ListState =
  /** It was never read whole; `total` is 0 until it is known. */
  | { readonly kind: 'reading'; readonly read: number; readonly total: number }
  | { readonly kind: 'read'; readonly at: number }
  /** It was never read whole, and the last try failed. */
  | ({ readonly kind: 'failed' } & Failure)
  /** It was read at `readAt`, and changes since then may be missing. */
  | { readonly kind: 'stale'; readonly readAt: number; readonly failure: Failure | undefined };

export const unread: ListState = { kind: 'reading', read: 0, total: 0 };

/** The pauses after each failure in a row; the last one repeats. */
const pausesMs = [1_000, 2_000, 5_000, 10_000] as const;

export function pauseAfter(failures: number): number {
  return pausesMs[Math.min(Math.max(failures, 1), pausesMs.length) - 1] ?? 0;
}

/** Whether what is shown of the list is the list, if perhaps an old one; otherwise its figures are unknown. */
export function hasFigures({ kind }: ListState): boolean {
  return kind === 'read' || kind === 'stale';
}

/** A list that was read before stays on screen while it is read again; a failure is told until a try succeeds. */
export function begun(list: ListState): ListState {
  if (list.kind === 'read') return { kind: 'stale', readAt: list.at, failure: undefined };
  return list;
}

export function progressed(list: ListState, read: number, total: number): ListState {
  return list.kind === 'stale' ? { ...list, failure: undefined } : { kind: 'reading', read, total };
}

export function failed(list: ListState, failure: Failure): ListState {
  if (list.kind === 'stale') return { ...list, failure };
  return list.kind === 'read' ? { kind: 'stale', readAt: list.at, failure } : { kind: 'failed', ...failure };
}

export function failureOf(list: ListState): Failure | undefined {
  if (list.kind === 'failed') return list;
  return list.kind === 'stale' ? list.failure : undefined;
}

/** What stands in the place of a figure: a dash while the list that it is counted from was never read. */
export function figureOf(list: ListState, count: number): string {
  return hasFigures(list) ? String(count) : unknownFigure;
}

export const unknownFigure = '–';
