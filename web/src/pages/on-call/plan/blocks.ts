// The blocks of a group in the plan: its slots and the claims that are passed over, cut to the period, in lanes. Pure.

import type { GroupSlots, OnCallOverlap, OnCallSlot } from '@tocsin/client';

type Span = { readonly from: number; readonly to: number };

/** `passed`: an entry that does not count, because a later one has the same time. */
export type BlockKind = 'duty' | 'nobody' | 'locked' | 'passed';

export type Block = {
  /** `7/1794870000000`: the group and the beginning; with the lane for a claim that is passed over. */
  readonly key: string;
  readonly callGroupId: number;
  readonly kind: BlockKind;
  /** The whole time, which may begin before the period and end after it. */
  readonly from: number;
  readonly to: number;
  /** The part within the period, as shares of it. */
  readonly left: number;
  readonly width: number;
  readonly lane: number;
  readonly teamIds: readonly number[];
  readonly slot: OnCallSlot | undefined;
  readonly overlap: OnCallOverlap | undefined;
};

export function kindOf({ locked, members }: Pick<OnCallSlot, 'locked' | 'members'>): BlockKind {
  if (locked) return 'locked';
  return members.length === 0 ? 'nobody' : 'duty';
}

/** Returns the blocks in the order of their lanes, and of time in a lane. */
export function blocksOf(group: GroupSlots, period: Span): readonly Block[] {
  const { callGroupId } = group;
  const slots = group.slots.map((slot) => ({
    ...spanOf(slot),
    callGroupId,
    key: `${callGroupId}/${Date.parse(slot.from)}`,
    kind: kindOf(slot),
    lane: 0,
    teamIds: slot.teamIds,
    slot,
    overlap: undefined,
  }));
  const lanes = lanesOf(group.overlaps.map(spanOf));
  const passed = group.overlaps.map((overlap, index) => ({
    ...spanOf(overlap),
    callGroupId,
    key: `${callGroupId}/${Date.parse(overlap.from)}/${lanes[index]}`,
    kind: 'passed' as const,
    lane: lanes[index] ?? 1,
    teamIds: overlap.teamId === null ? [] : [overlap.teamId],
    slot: undefined,
    overlap,
  }));
  return [...slots, ...passed.toSorted((one, other) => one.lane - other.lane)].flatMap((block) => {
    const place = placeIn(block, period);
    return place === undefined ? [] : [{ ...block, ...place }];
  });
}

function spanOf({ from, to }: { readonly from: string; readonly to: string }): Span {
  return { from: Date.parse(from), to: Date.parse(to) };
}

/** Returns where a span is in a period, as shares of it; undefined if it is outside. */
export function placeIn(span: Span, period: Span): { readonly left: number; readonly width: number } | undefined {
  const [from, to] = [Math.max(span.from, period.from), Math.min(span.to, period.to)];
  const length = period.to - period.from;
  return from < to ? { left: (from - period.from) / length, width: (to - from) / length } : undefined;
}

/** Returns a lane for each span, from 1 on, so that those of one lane do not overlap. */
export function lanesOf(spans: readonly Span[]): readonly number[] {
  const ends: number[] = [];
  const lanes = new Array<number>(spans.length).fill(1);
  const inOrder = spans
    .map((span, index) => ({ span, index }))
    .toSorted((one, other) => one.span.from - other.span.from);
  for (const { span, index } of inOrder) {
    const free = ends.findIndex((end) => end <= span.from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = span.to;
    lanes[index] = lane + 1;
  }
  return lanes;
}

/** Returns the times in which nobody is on duty from an instant on, those that touch as one. */
export function gapsOf({ slots }: GroupSlots, from: number): readonly Span[] {
  const gaps: Span[] = [];
  for (const slot of slots) {
    const span = spanOf(slot);
    if (kindOf(slot) !== 'nobody' || span.to <= from) continue;
    const last = gaps.at(-1);
    if (last?.to === span.from) gaps[gaps.length - 1] = { from: last.from, to: span.to };
    else gaps.push(span);
  }
  return gaps;
}
