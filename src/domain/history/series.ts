// Divides a period into spans of ten minutes, an hour or a day of a zone's clock. Pure.

import type { CivilClock } from '../on-call/civil-time.ts';

/** Their lengths; a day may be an hour longer or shorter. */
export const spanLengths = { '10m': 600_000, '1h': 3_600_000, '1d': 86_400_000 } as const;

export type SpanName = keyof typeof spanLengths;

/**
 * Returns the instants at which spans begin, and the end of the last one. Each but the last is at a whole span of the local
 * clock, so the first may be before `from` and the end after `to`; a day begins with its first instant, also where midnight is
 * skipped.
 */
export function spanEdges(every: SpanName, from: number, to: number, clock: CivilClock): readonly number[] {
  const length = spanLengths[every];
  const edges = [startOf(every, from, clock)];
  for (let edge = edges[0] ?? from; edge < to; edges.push(edge))
    edge = every === '1d' ? nextDay(edge, length, clock) : nextWhole(edge, length, clock);
  return edges;
}

function startOf(every: SpanName, instant: number, clock: CivilClock): number {
  const length = spanLengths[every];
  const civil = clock.civilOf(instant);
  const start = civil - since(civil, length);
  if (every === '1d') return clock.instantOf(start);
  // Of an hour that comes twice, the one that the instant is in; after a change by half an hour the hour began before it.
  const near = instant - since(civil, length);
  return clock.civilOf(near) === start ? near : clock.instantOf(start);
}

/** Dates that a zone left out, as Samoa did once, are no days. */
function nextDay(edge: number, length: number, clock: CivilClock): number {
  const civil = clock.civilOf(edge);
  for (let day = civil - since(civil, length) + length; ; day += length) {
    const next = clock.instantOf(day);
    if (next > edge) return next;
  }
}

/** An hour that comes twice is two spans. After a change by half an hour the span goes on to the next whole one. */
function nextWhole(edge: number, length: number, clock: CivilClock): number {
  const untilWhole = (instant: number): number => length - since(clock.civilOf(instant), length);
  for (let next = edge + untilWhole(edge); ; next += untilWhole(next))
    if (since(clock.civilOf(next), length) === 0) return next;
}

/** Returns how long ago the span began; `%` alone is negative before 1970. */
function since(civil: number, length: number): number {
  return ((civil % length) + length) % length;
}

/** Returns the index of the span that an instant is in. */
export function spanAt(edges: readonly number[], instant: number): number {
  let [low, high] = [0, edges.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= instant) low = middle;
    else high = middle;
  }
  return low;
}
