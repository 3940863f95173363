// Warnings shown before a schedule is saved: times nobody covers, and times that two entries both claim. Pure.

import { clashesIn } from './clashes.ts';
import { dutySlots } from './duty.ts';
import { type DutySpan, dutyLayers, dutySpans } from './duty-spans.ts';
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
type Recurring = {
  readonly entries: readonly [string, string];
  readonly from: number;
  to: number;
  end: number;
  times: number;
};
type Overlaps = { readonly overlaps: readonly DutyOverlap[]; readonly isCut: boolean };

function overlapsIn(spans: readonly DutySpan[]): Overlaps {
  const recurring = new Map<string, Recurring>();
  const { clashes, isCut } = clashesIn(spans);
  for (const { earlier, later, from, to } of clashes) {
    addClash(recurring, [earlier.source, later.source], { from, to });
  }
  return { overlaps: [...recurring.values()].map(overlapOf), isCut };
}

/** Merges a clash that touches the previous clash of the same entries: rotations clash turn after turn. */
function addClash(recurring: Map<string, Recurring>, entries: readonly [string, string], when: DutyGap): void {
  const key = entries.join(' ');
  const clash = recurring.get(key);
  if (clash === undefined) {
    recurring.set(key, { entries, from: when.from, to: when.to, end: when.to, times: 1 });
    return;
  }
  if (when.from > clash.end) clash.times++;
  else if (clash.times === 1) clash.to = Math.max(clash.to, when.to);
  clash.end = Math.max(clash.end, when.to);
}

function overlapOf({ entries, from, to, times }: Recurring): DutyOverlap {
  return { entries, from, to, times };
}
