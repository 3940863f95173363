// Who has the duty by a schedule, at any instant and over any stretch of time. Pure; what was worked out is remembered.

import { dayMs } from './civil-time.ts';
import { type DutySpan, dutySpans, isSameHolder } from './duty-spans.ts';
import type { DutyHolder, DutySlot, Schedule } from './schedule.ts';

/** Covers [from, to) in order, without gap or overlap; where nobody has the duty, the slot has no holder. */
export function dutySlots(schedule: Schedule, from: number, to: number): readonly DutySlot[] {
  if (!(from < to)) return [];
  const spans = dutySpans(schedule, from, to);
  const edges = Float64Array.from(new Set([from, to, ...spans.flatMap((span) => [span.from, span.to])])).sort();
  const owners = ownersBetween(edges, spans);
  const slots: DutySlot[] = [];
  owners.forEach((owner, index) => {
    const slot = slotOf(spans[owner], edges[index] ?? from, edges[index + 1] ?? to);
    const before = slots.at(-1);
    if (before !== undefined && isContinuation(before, slot)) slots[slots.length - 1] = { ...before, to: slot.to };
    else slots.push(slot);
  });
  return slots;
}

/** For each stretch between two neighbouring edges, the last span that covers it; -1 where none does. */
function ownersBetween(edges: Float64Array, spans: readonly DutySpan[]): Int32Array {
  const indexOf = new Map<number, number>();
  edges.forEach((edge, index) => {
    indexOf.set(edge, index);
  });
  const owners = new Int32Array(edges.length - 1).fill(-1);
  spans.forEach((span, owner) => {
    owners.fill(owner, indexOf.get(span.from), indexOf.get(span.to));
  });
  return owners;
}

function slotOf(span: DutySpan | undefined, from: number, to: number): DutySlot {
  return { from, to, holder: span?.holder, source: span?.source ?? '', reason: span?.reason ?? '' };
}

function isContinuation(before: DutySlot, slot: DutySlot): boolean {
  return before.source === slot.source && isSameHolder(before.holder, slot.holder);
}

/**
 * `dutyAt` looks at windows on a fixed grid, so that its answer does not depend on what was asked before. A slot that runs
 * out of the near window is looked for in the far one; what runs out of that as well is cut there, over three months away.
 */
const cellMs = 8 * dayMs;
const nearCells = 1;
const farCells = 13;
const windowsKept = 16;
const remembered = new WeakMap<Schedule, Map<number, readonly DutySlot[]>>();

/** The slot that holds `at`, from its beginning to its end. Asked for often: well under a microsecond once remembered. */
export function dutyAt(schedule: Schedule, at: number): DutySlot {
  const cell = Math.floor(at / cellMs);
  const near = slotsAround(schedule, cell, nearCells);
  const slot = slotHolding(near, at);
  const isWhole = slot !== near[0] && slot !== near[near.length - 1];
  return isWhole ? slot : slotHolding(slotsAround(schedule, cell, farCells), at);
}

function slotsAround(schedule: Schedule, cell: number, reach: number): readonly DutySlot[] {
  const windows = windowsOf(schedule);
  const key = cell * (farCells + 1) + reach;
  const known = windows.get(key);
  if (known !== undefined) return known;
  if (windows.size >= windowsKept) windows.clear();
  const slots = dutySlots(schedule, (cell - reach) * cellMs, (cell + 1 + reach) * cellMs);
  windows.set(key, slots);
  return slots;
}

function windowsOf(schedule: Schedule): Map<number, readonly DutySlot[]> {
  const known = remembered.get(schedule);
  if (known !== undefined) return known;
  const windows = new Map<number, readonly DutySlot[]>();
  remembered.set(schedule, windows);
  return windows;
}

/** By halves; `slots` covers `at`. */
function slotHolding(slots: readonly DutySlot[], at: number): DutySlot {
  let [low, high] = [0, slots.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((slots[middle]?.from ?? at) <= at) low = middle;
    else high = middle - 1;
  }
  return slots[low] as DutySlot;
}

/** Nobody waits longer for somebody to come on duty; it also bounds the work. */
const longestHorizonMs = 5 * 366 * dayMs;

/** The first instant from `at` on, `at` itself included, at which a team or a person has the duty; undefined: none in sight. */
export function nextDutyAfter(schedule: Schedule, at: number, horizonMs: number): number | undefined {
  const end = at + Math.min(horizonMs, longestHorizonMs);
  // The next duty is hours away as a rule: look near first, then in ever longer stretches.
  for (let [from, length] = [at, 2 * dayMs]; from < end; from += length, length = Math.min(2 * length, 64 * dayMs)) {
    const slots = dutySlots(schedule, from, Math.min(end, from + length));
    const held = slots.find(({ holder }) => isSomebody(holder));
    if (held !== undefined) return held.from;
  }
  return undefined;
}

function isSomebody(holder: DutyHolder | undefined): boolean {
  return holder !== undefined && holder.kind !== 'locked';
}
