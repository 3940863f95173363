// Finds the times that two entries of one layer of a schedule claim for different holders. Pure.

import { type DutySpan, isSameHolder } from './duty-spans.ts';

/** The later entry of the list wins. */
export type Clash = {
  readonly earlier: DutySpan;
  readonly later: DutySpan;
  readonly from: number;
  readonly to: number;
};

/** Limit of compared pairs; a schedule that exceeds it has enough clashes already. */
const maxPairs = 200_000;

/** Returns the clashes among the spans of one layer, in order of time; `isCut` if not all pairs were compared. */
export function clashesIn(spans: readonly DutySpan[]): { readonly clashes: readonly Clash[]; readonly isCut: boolean } {
  const rank = new Map(spans.map((span, index) => [span, index]));
  const clashes: Clash[] = [];
  // The spans that are still open where the sweep over time has come to.
  let open: DutySpan[] = [];
  let pairs = 0;
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    open = open.filter(({ to }) => to > span.from);
    pairs += open.length;
    if (pairs > maxPairs) break;
    for (const other of open) {
      if (isSameHolder(span.holder, other.holder)) continue;
      const isInOrder = (rank.get(other) ?? 0) < (rank.get(span) ?? 0);
      const [earlier, later] = isInOrder ? [other, span] : [span, other];
      clashes.push({ earlier, later, from: span.from, to: Math.min(span.to, other.to) });
    }
    open.push(span);
  }
  return { clashes, isCut: pairs > maxPairs };
}
