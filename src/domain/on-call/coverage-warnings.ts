// Warnings shown before a schedule is saved: times nobody covers, and times that two entries both claim. Pure.

import { dutySlots } from './duty.ts';
import { type DutySpan, dutyLayers, dutySpans, isSameHolder } from './duty-spans.ts';
import type { Schedule } from './schedule.ts';

type DutyGap = { readonly from: number; readonly to: number };

/** Two entries of one layer that name different holders for the same time; the later entry wins. */
type DutyOverlap = {
  /** The two entries, such as `weekly[0]` and `weekly[2]`, in list order. */
  readonly entries: readonly [string, string];
  /** Start of the first overlap. */
  readonly from: number;
  readonly to: number;
  /** Number of overlaps in the period; a weekly recurrence is listed once. */
  readonly times: number;
};

export type CoverageWarnings = {
  readonly gaps: readonly DutyGap[];
  readonly overlaps: readonly DutyOverlap[];
  /** True if the lists were truncated. */
  readonly hasMore: boolean;
};

const maxListed = 50;
/** Limit of compared pairs per layer; a schedule that exceeds it has enough warnings already. */
const maxPairs = 200_000;

export function coverageWarnings(schedule: Schedule, from: number, to: number): CoverageWarnings {
  const gaps = dutySlots(schedule, from, to)
    .filter(({ holder }) => holder === undefined)
    .map((slot) => ({ from: slot.from, to: slot.to }));
  const spans = from < to ? dutySpans(schedule, from, to) : [];
  const found = dutyLayers.map((layer) => overlapsIn(spans.filter((span) => span.layer === layer)));
  const overlaps = found.flatMap((layer) => layer.overlaps);
  return {
    gaps: gaps.slice(0, maxListed),
    overlaps: overlaps.slice(0, maxListed),
    hasMore: gaps.length > maxListed || overlaps.length > maxListed || found.some(({ isCut }) => isCut),
  };
}

/** An overlap under construction; `end` is the end of its latest recurrence. */
type Clash = {
  readonly entries: readonly [string, string];
  readonly from: number;
  to: number;
  end: number;
  times: number;
};
type Overlaps = { readonly overlaps: readonly DutyOverlap[]; readonly isCut: boolean };

/** Sweeps over time and compares each span with the spans still open at its start. */
function overlapsIn(spans: readonly DutySpan[]): Overlaps {
  const rank = new Map(spans.map((span, index) => [span, index]));
  const clashes = new Map<string, Clash>();
  let open: DutySpan[] = [];
  let pairs = 0;
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    open = open.filter(({ to }) => to > span.from);
    pairs += open.length;
    if (pairs > maxPairs) break;
    for (const other of open) {
      if (isSameHolder(span.holder, other.holder)) continue;
      const isInOrder = (rank.get(other) ?? 0) < (rank.get(span) ?? 0);
      addClash(clashes, isInOrder ? [other.source, span.source] : [span.source, other.source], {
        from: span.from,
        to: Math.min(span.to, other.to),
      });
    }
    open.push(span);
  }
  return { overlaps: [...clashes.values()].map(overlapOf), isCut: pairs > maxPairs };
}

/** Merges a clash that touches the previous clash of the same entries: rotations clash turn after turn. */
function addClash(clashes: Map<string, Clash>, entries: readonly [string, string], when: DutyGap): void {
  const key = entries.join(' ');
  const clash = clashes.get(key);
  if (clash === undefined) {
    clashes.set(key, { entries, from: when.from, to: when.to, end: when.to, times: 1 });
    return;
  }
  if (when.from > clash.end) clash.times++;
  else if (clash.times === 1) clash.to = Math.max(clash.to, when.to);
  clash.end = Math.max(clash.end, when.to);
}

function overlapOf({ entries, from, to, times }: Clash): DutyOverlap {
  return { entries, from, to, times };
}
