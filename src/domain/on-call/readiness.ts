// Checks whether the people on duty in a call group could be reached at an instant, and why not. Pure.

import { isUsable } from '../calls/usable-numbers.ts';
import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import { refer } from '../people/references.ts';
import { onDutyIn } from './on-duty.ts';

export type Readiness = {
  /** Whether at least one person on duty could be reached, relief included. */
  readonly isReachable: boolean;
  /** Sentences without their full stops, with references; empty if everybody on duty could be reached. */
  readonly reasons: readonly string[];
};

export function readinessOf(group: CallGroup, snapshot: PeopleSnapshot, at: number): Readiness {
  const { members, nobody } = onDutyIn(group, snapshot, at);
  if (nobody !== undefined) return { isReachable: false, reasons: [nobody] };
  const unreachable = members.filter(({ userId }) => !canBeReached(userId, snapshot, at));
  return {
    isReachable: unreachable.length < members.length,
    reasons: unreachable.map(({ userId }) => whyUnreachable(userId, snapshot)),
  };
}

function canBeReached(userId: number, snapshot: PeopleSnapshot, at: number): boolean {
  return (snapshot.people.get(userId)?.numbers ?? []).some((number) => isUsable(number, { snapshot }, at));
}

function whyUnreachable(userId: number, { people }: PeopleSnapshot): string {
  const person = people.get(userId);
  const who = refer.user(userId);
  if (person === undefined || person.numbers.length === 0) return `${who} has no number`;
  const callable = person.numbers.filter(({ valid, verified }) => valid && verified);
  return callable.length === 0
    ? `${who} has no number that is valid and verified`
    : `${who} has no number that may be used at this time`;
}
