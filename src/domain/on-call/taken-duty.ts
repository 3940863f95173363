// The bounds of duty that people take themselves, and which overrides make room for new ones. Pure.

import { neededFor } from '../access/effects.ts';
import type { Person } from '../people/person.ts';
import { civilClock, dayMs, instantOfMoment, minuteMs, readMoment } from './civil-time.ts';
import { maxOverrides, type Override, type StoredOverride, type StoredSchedule } from './schedule.ts';

/** Who takes the duty may be a minute late, or send the request again. */
const lateMs = 5 * minuteMs;
export const mostTakenDays = 14;

/** Returns why somebody who may not plan the duty of others must not take it like this; undefined if they may. */
export function takeProblem(
  { from, to }: Pick<Override, 'from' | 'to'>,
  timeZone: string,
  now: number,
): { readonly field: 'from' | 'to'; readonly message: string } | undefined {
  const needs = `unless the caller has ${neededFor('plan a duty')}`;
  if (instantIn(timeZone, from) < now - lateMs) return { field: 'from', message: `must not be in the past, ${needs}` };
  if (instantIn(timeZone, to) > now + mostTakenDays * dayMs)
    return { field: 'to', message: `must be within ${mostTakenDays} days, ${needs}` };
  return undefined;
}

/**
 * Returns the overrides that are dropped at the limit, because taking the duty must succeed at night, when nobody is there to
 * clean up: first those that are over, then those of the person who takes it anew, then the oldest.
 */
export function droppedFor(schedule: StoredSchedule, added: readonly Override[], now: number): readonly Dropped[] {
  const { overrides, timeZone } = schedule;
  const count = overrides.length + added.length - maxOverrides;
  if (count <= 0) return [];
  const isOfTaker = ({ userId, swapId }: StoredOverride): boolean =>
    userId !== undefined && swapId === undefined && added.some((one) => one.userId === userId);
  const ranked = overrides.map((override) => {
    const isOver = instantIn(timeZone, override.to) <= now;
    return { override, isOver, rank: isOver ? 0 : isOfTaker(override) ? 1 : 2 };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank).slice(0, count);
}

type Dropped = { readonly override: StoredOverride; readonly isOver: boolean };

/** Says what whoever gives the duty to this person should know: who is off duty or replaced is not called. */
export function uncalledWarning(person: Person | undefined): string | undefined {
  if (person === undefined || (person.onDuty && person.replacedById === undefined)) return undefined;
  return person.onDuty
    ? `userId: ${person.name} is replaced by somebody else, who is called`
    : `userId: ${person.name} is off duty and is not called`;
}

/** A stored time was read before it was saved; one that cannot be is neither past nor bounded. */
function instantIn(timeZone: string, text: string): number {
  const moment = readMoment(text);
  return moment === undefined ? Number.POSITIVE_INFINITY : instantOfMoment(civilClock(timeZone), moment);
}
