// Resolves a schedule to duty slots, at an instant or over a period. Pure, with a cache.

import { civilClock, dayMs, instantOfMoment } from './civil-time.ts';
import { type DutySpan, dutySpans, isSameHolder } from './duty-spans.ts';
import type { DutyHolder, DutySlot, Schedule } from './schedule.ts';

/** Returns slots that cover [from, to) in order, without gap or overlap; a slot without duty has no holder. */
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

/** Returns for each interval between adjacent edges the index of the last span that covers it; -1 if none does. */
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
 * `dutyAt` computes windows on a fixed grid, so that its result does not depend on earlier calls. A slot that extends
 * beyond the near window is looked up in the far one; beyond that it is clipped, over three months away.
 */
const cellMs = 8 * dayMs;
const nearCells = 1;
const farCells = 13;
const maxCachedWindows = 16;
const cachedWindows = new WeakMap<Schedule, Map<number, readonly DutySlot[]>>();

/** Returns the whole slot that contains `at`. Called often: well under a microsecond once cached. */
export function dutyAt(schedule: Schedule, at: number): DutySlot {
  const cell = Math.floor(at / cellMs);
  const near = slotsAround(schedule, cell, nearCells);
  const slot = slotContaining(near, at);
  const isWhole = slot !== near[0] && slot !== near[near.length - 1];
  return isWhole ? slot : slotContaining(slotsAround(schedule, cell, farCells), at);
}

/** Whether the slot that `dutyAt` returns for `at` goes on beyond this edge of it, as far as was looked. */
export function isClipped(edge: number, at: number): boolean {
  const cell = Math.floor(at / cellMs);
  return edge === (cell - farCells) * cellMs || edge === (cell + 1 + farCells) * cellMs;
}

/** Longer slots may be clipped by `dutyAt`, at another time on another day. */
const longestWholeMs = (farCells - 1) * cellMs;

/**
 * Returns the slots of a period so that each is the same whenever one looks: the first and the last are whole, and one that
 * may have no end is cut where months begin.
 */
export function lastingSlots(schedule: Schedule, from: number, to: number): readonly DutySlot[] {
  const slots = dutySlots(schedule, from, to);
  const whole = slots.map((slot, index) => ({
    ...slot,
    from: index === 0 ? dutyAt(schedule, from).from : slot.from,
    to: index === slots.length - 1 ? dutyAt(schedule, slot.from).to : slot.to,
  }));
  return whole
    .flatMap((slot) => (slot.to - slot.from > longestWholeMs ? cutAtMonths(slot, schedule.timeZone) : [slot]))
    .filter((slot) => slot.to > from && slot.from < to);
}

function cutAtMonths(slot: DutySlot, timeZone: string): readonly DutySlot[] {
  const clock = civilClock(timeZone);
  const begin = new Date(slot.from);
  const pieces: DutySlot[] = [];
  for (let [at, month] = [slot.from, begin.getUTCMonth()]; at < slot.to; month++) {
    const next = instantOfMoment(clock, { kind: 'civil', at: Date.UTC(begin.getUTCFullYear(), month + 1, 1) });
    if (next <= at) continue;
    pieces.push({ ...slot, from: at, to: Math.min(next, slot.to) });
    at = next;
  }
  return pieces;
}

function slotsAround(schedule: Schedule, cell: number, reach: number): readonly DutySlot[] {
  const windows = windowsOf(schedule);
  const key = cell * (farCells + 1) + reach;
  const known = windows.get(key);
  if (known !== undefined) return known;
  if (windows.size >= maxCachedWindows) windows.clear();
  const slots = dutySlots(schedule, (cell - reach) * cellMs, (cell + 1 + reach) * cellMs);
  windows.set(key, slots);
  return slots;
}

function windowsOf(schedule: Schedule): Map<number, readonly DutySlot[]> {
  const known = cachedWindows.get(schedule);
  if (known !== undefined) return known;
  const windows = new Map<number, readonly DutySlot[]>();
  cachedWindows.set(schedule, windows);
  return windows;
}

/** Binary search; `slots` must cover `at`. */
function slotContaining(slots: readonly DutySlot[], at: number): DutySlot {
  let [low, high] = [0, slots.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((slots[middle]?.from ?? at) <= at) low = middle;
    else high = middle - 1;
  }
  return slots[low] as DutySlot;
}

/** Upper limit of the horizon, which bounds the work. */
const longestHorizonMs = 5 * 366 * dayMs;

/**
 * Returns the first instant from `at` on (inclusive) at which a team or a person has the duty; undefined if there is
 * none within the horizon.
 */
export function nextDutyAfter(schedule: Schedule, at: number, horizonMs: number): number | undefined {
  const end = at + Math.min(horizonMs, longestHorizonMs);
  // The next duty is usually hours away, so the search starts with a short window and doubles it.
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
