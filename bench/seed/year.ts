// The occurrences of a made-up plant, one after another in time, each told whole; the same for the same numbers.

import { type Plant, remarkOf } from './plant.ts';

export const dayMs = 24 * 3_600_000;
const minuteMs = 60_000;

/** How many, over how long, until when. */
export type Span = { readonly count: number; readonly spanMs: number; readonly end: number };

export type Occurrence = {
  id: number;
  tag: number;
  raisedAt: number;
  resetAt: number | null;
  ackAt: number | null;
  /** Which user acknowledged it; -1 for none, or none that is a user. */
  user: number;
  comment: string;
};

/**
 * Occurrences in the time before `end`, each in a slice of its own. Handed out in one object that changes: there are
 * millions. What would happen after `end` has not happened yet.
 */
export function* occurrencesIn({ tags, userCount }: Plant, { count, spanMs, end }: Span): Generator<Occurrence> {
  const random = randomFrom(count);
  const sliceMs = spanMs / count;
  const busyUntil = new Float64Array(tags.length);
  const occurrence: Occurrence = { id: 0, tag: 0, raisedAt: 0, resetAt: null, ackAt: null, user: -1, comment: '' };
  for (let index = 0; index < count; index++) {
    const raisedAt = Math.floor(end - spanMs + (index + random()) * sliceMs);
    // One occurrence of a tag is over and acknowledged before the next begins.
    let tag = Math.floor(random() * tags.length);
    while ((busyUntil[tag] ?? 0) >= raisedAt) tag = Math.floor(random() * tags.length);
    const resetAt = raisedAt + Math.floor(random() ** 3 * 60 * minuteMs);
    const ackAt = raisedAt + 2_000 + Math.floor(random() ** 2 * 30 * minuteMs);
    // Of a dozen one is acknowledged by a program.
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

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
