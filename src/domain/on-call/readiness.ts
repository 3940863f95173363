// Checks whether somebody of a call group could be reached, at an instant and in the days ahead, and why not. Pure.

import {
  callNumbers,
  canBeReached,
  isCallable,
  isOutsideCountries,
  type NumberContext,
} from '../calls/usable-numbers.ts';
import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import { dutySlots } from './duty.ts';
import type { UnreachableCause, UnreadyReason } from './duty-reason.ts';
import { onDutyBetween, onDutyIn } from './on-duty.ts';

export type Readiness = {
  /** Whether at least one person could be reached: on duty, relief member, or in a relief group. */
  readonly isReachable: boolean;
  /** Empty if everybody on duty could be reached. */
  readonly reasons: readonly UnreadyReason[];
  /** The people on duty who could not be reached. */
  readonly unreachable: readonly Unreachable[];
  /** The relief group that is called instead of all of them; undefined: they are called, or nobody is. */
  readonly insteadGroupId: number | undefined;
};

type Unreachable = { readonly userId: number; readonly cause: UnreachableCause };

/** A time in which somebody on duty cannot be reached. */
export type UnreadySpan = Readiness & { readonly from: number; readonly to: number };

export function readinessOf(group: CallGroup, context: NumberContext, at: number): Readiness {
  const { members, nobody, isLocked } = onDutyIn(group, context.snapshot, at);
  const unreachable = members
    .filter(({ userId }) => !canBeReached(userId, context, at))
    .map(({ userId }) => ({ userId, cause: unreachableCause(userId, context, at) }));
  const reasons: readonly UnreadyReason[] =
    nobody === undefined ? unreachable.map((one) => ({ code: 'unreachable', ...one })) : [nobody];
  if (unreachable.length < members.length) {
    return { isReachable: true, reasons, unreachable, insteadGroupId: undefined };
  }
  // A locked duty calls nobody, relief groups included.
  const relief = isLocked ? undefined : reachableRelief(group, context, at);
  if (relief === undefined) return { isReachable: false, reasons, unreachable, insteadGroupId: undefined };
  const instead = { code: 'relief-instead', groupId: relief.id } as const;
  return { isReachable: true, reasons: [...reasons, instead], unreachable, insteadGroupId: relief.id };
}

/** Returns the first relief group in the chain of which somebody could be reached. */
function reachableRelief(group: CallGroup, context: NumberContext, at: number): CallGroup | undefined {
  const { groups } = context.snapshot;
  const seen = new Set([group.id]);
  for (let id = group.reliefGroupId; id !== undefined && !seen.has(id); id = groups.get(id)?.reliefGroupId) {
    seen.add(id);
    const relief = groups.get(id);
    const duty = relief && onDutyIn(relief, context.snapshot, at);
    if (duty?.isLocked) return undefined;
    if (duty?.members.some(({ userId }) => canBeReached(userId, context, at))) return relief;
  }
  return undefined;
}

/**
 * Returns the times from `from` to `to` in which somebody on duty cannot be reached, looked at whenever a duty or the
 * hours of a number change, at most `mostPoints` times; `isCut` says that there are more changes than that.
 */
export function unreadyBetween(
  group: CallGroup,
  context: NumberContext,
  { from, to }: { readonly from: number; readonly to: number },
  mostPoints: number,
): { readonly spans: readonly UnreadySpan[]; readonly points: number; readonly isCut: boolean } {
  const changes = changesBetween(group, context.snapshot, from, to);
  const isCut = changes.length > mostPoints;
  const points = changes.slice(0, mostPoints);
  // What was not looked at is not part of the last span.
  const lookedUntil = changes[mostPoints] ?? to;
  const spans: UnreadySpan[] = [];
  for (const [index, at] of points.entries()) {
    const readiness = readinessOf(group, context, at);
    const { reasons } = readiness;
    const end = points[index + 1] ?? lookedUntil;
    const last = spans.at(-1);
    if (reasons.length === 0) continue;
    if (last?.to === at && areSame(last.reasons, reasons)) spans[spans.length - 1] = { ...last, to: end };
    else spans.push({ ...readiness, from: at, to: end });
  }
  return { spans, points: points.length, isCut };
}

/** Reasons are made in one place each, so that equal ones have their fields in the same order. */
function areSame(one: readonly UnreadyReason[], other: readonly UnreadyReason[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Returns the times at which the duty of the group, of its relief groups, or the hours of a number change. The numbers are
 * those of everybody who has the duty meanwhile: by a team, by the schedule alone, or in place of somebody.
 */
function changesBetween(group: CallGroup, snapshot: PeopleSnapshot, from: number, to: number): readonly number[] {
  const changes = new Set([from]);
  const hours = new Set<number>();
  const seen = new Set<number>();
  for (let one: CallGroup | undefined = group; one !== undefined && !seen.has(one.id); ) {
    seen.add(one.id);
    const spans = onDutyBetween(one, snapshot, { from, to });
    for (const span of spans) changes.add(span.from);
    const userIds = new Set(spans.flatMap(({ members }) => members.map(({ userId }) => userId)));
    for (const userId of userIds)
      for (const { scheduleId } of snapshot.people.get(userId)?.numbers ?? [])
        if (scheduleId !== undefined) hours.add(scheduleId);
    one = snapshot.groups.get(one.reliefGroupId ?? 0);
  }
  for (const id of hours) {
    const schedule = snapshot.schedules.get(id);
    for (const slot of schedule === undefined ? [] : dutySlots(schedule, from, to)) changes.add(slot.from);
  }
  return [...changes].toSorted((one, other) => one - other);
}

/** Why the person cannot be reached; asked where they cannot. */
export function unreachableCause(userId: number, context: NumberContext, at: number): UnreachableCause {
  const { snapshot, policy } = context;
  const person = snapshot.people.get(userId);
  if (person === undefined || person.numbers.length === 0) return 'noNumber';
  const callable = person.numbers.filter(isCallable);
  if (callable.length === 0) return 'notVerified';
  const { channels } = policy;
  const isSetUp = channels === 'all' || callable.some(({ channel }) => channels.includes(channel));
  // A notice number on a channel that works does not stand in for a final one that may be used.
  if (!isSetUp || callNumbers(userId, context, at).length > 0) return 'noChannel';
  if (isOutsideCountries(person, { policy })) return 'notAllowed';
  if (callable.every(({ priorities }) => priorities !== undefined && priorities.from > priorities.to))
    return 'noPriority';
  return canBeReached(userId, { ...context, lockedNumbers: new Set() }, at) ? 'locked' : 'notNow';
}
