// Generates the occurrences of a plant in order of time, each complete; deterministic for the same numbers.

import { type Plant, remarkOf } from './plant.ts';

export const dayMs = 24 * 3_600_000;
const minuteMs = 60_000;

/** The number of occurrences, their time span, and its end. */
type Span = { readonly count: number; readonly spanMs: number; readonly end: number };

export type Occurrence = {
  id: number;
  tag: number;
  raisedAt: number;
  resetAt: number | null;
  ackAt: number | null;
  /** The index of the user who acknowledged it; -1 for none or for a program. */
  user: number;
  comment: string;
};

/**
 * Yields occurrences before `end`, each in its own time slice. Because there are millions, one object is reused. Events
 * after `end` have not happened yet.
 */
export function* occurrencesIn({ tags, userCount }: Plant, { count, spanMs, end }: Span): Generator<Occurrence> {
  const random = randomFrom(count);
  const sliceMs = spanMs / count;
  const busyUntil = new Float64Array(tags.length);
  const occurrence: Occurrence = { id: 0, tag: 0, raisedAt: 0, resetAt: null, ackAt: null, user: -1, comment: '' };
  for (let index = 0; index < count; index++) {
    const raisedAt = Math.floor(end - spanMs + (index + random()) * sliceMs);
    // An occurrence of a tag ends and is acknowledged before the next one begins.
    let tag = Math.floor(random() * tags.length);
    while ((busyUntil[tag] ?? 0) >= raisedAt) tag = Math.floor(random() * tags.length);
    const resetAt = raisedAt + Math.floor(random() ** 3 * 60 * minuteMs);
    const ackAt = raisedAt + 2_000 + Math.floor(random() ** 2 * 30 * minuteMs);
    // One in twelve is acknowledged by a program.
    const user = random() < 1 / 12 ? -1 : Math.floor(random() * userCount);
    busyUntil[tag] = Math.max(resetAt, ackAt);
    occurrence.id = index + 1;
    occurrence.tag = tag;
    occurrence.raisedAt = raisedAt;
    occurrence.resetAt = resetAt <= end ? resetAt : null;
    occurrence.ackAt = ackAt <= end ? ackAt : null;
    occurrence.user = ackAt <= end ? user : -1;
    occurrence.comment = ackAt <= end && random() < 0.02 ? remarkOf(index) : '';
    yield occurrence;
  }
}

/** Mulberry32: numbers from 0 to 1, deterministic for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
