// What a person should see before saving a schedule: times nobody covers, and times that two entries both claim. Pure.

import { dutySlots } from './duty.ts';
import { type DutySpan, dutyLayers, dutySpans, isSameHolder } from './duty-spans.ts';
import type { Schedule } from './schedule.ts';

export type DutyGap = { readonly from: number; readonly to: number };

/** Two entries of one layer that name different holders for the same time; the later one has it. */
export type DutyOverlap = {
  /** Such as `weekly[0]` and `weekly[2]`, in the order of the list. */
  readonly entries: readonly [string, string];
  /** The first time they do. */
  readonly from: number;
  readonly to: number;
  /** How often they do in the period looked at: what comes back every week is told once. */
  readonly times: number;
};

export type ScheduleProblems = {
  readonly gaps: readonly DutyGap[];
  readonly overlaps: readonly DutyOverlap[];
  /** There are more than are listed. */
  readonly hasMore: boolean;
};

const mostListed = 50;
/** Pairs looked at per layer; a schedule with more of them at once has been shown to be wrong long before. */
const mostPairs = 200_000;

export function problemsOfSchedule(schedule: Schedule, from: number, to: number): ScheduleProblems {
  const gaps = dutySlots(schedule, from, to)
    .filter(({ holder }) => holder === undefined)
    .map((slot) => ({ from: slot.from, to: slot.to }));
  const spans = from < to ? dutySpans(schedule, from, to) : [];
  const found = dutyLayers.map((layer) => overlapsIn(spans.filter((span) => span.layer === layer)));
  const overlaps = found.flatMap((layer) => layer.overlaps);
  return {
    gaps: gaps.slice(0, mostListed),
    overlaps: overlaps.slice(0, mostListed),
    hasMore: gaps.length > mostListed || overlaps.length > mostListed || found.some(({ isCut }) => isCut),
  };
}

/** An overlap while it is put together; `end` is where the last of its times ended. */
type Clash = {
  readonly entries: readonly [string, string];
  readonly from: number;
  to: number;
  end: number;
  times: number;
};
type Overlaps = { readonly overlaps: readonly DutyOverlap[]; readonly isCut: boolean };

/** Goes along time with the spans that are open; each new one is held against those. */
function overlapsIn(spans: readonly DutySpan[]): Overlaps {
  const rank = new Map(spans.map((span, index) => [span, index]));
  const clashes = new Map<string, Clash>();
  let open: DutySpan[] = [];
  let pairs = 0;
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    open = open.filter(({ to }) => to > span.from);
    pairs += open.length;
    if (pairs > mostPairs) break;
    for (const other of open) {
      if (isSameHolder(span.holder, other.holder)) continue;
      const isInOrder = (rank.get(other) ?? 0) < (rank.get(span) ?? 0);
      note(clashes, isInOrder ? [other.source, span.source] : [span.source, other.source], {
        from: span.from,
        to: Math.min(span.to, other.to),
      });
    }
    open.push(span);
  }
  return { overlaps: [...clashes.values()].map(overlapOf), isCut: pairs > mostPairs };
}

/** What touches the last time of the same two is one time with it: rotations clash turn after turn. */
function note(clashes: Map<string, Clash>, entries: readonly [string, string], when: DutyGap): void {
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
