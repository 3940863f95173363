// Who of a call group is on duty at an instant, why, and who is passed over for what reason. Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import type { Person, Team } from '../people/person.ts';
import { dutyAt, nextDutyAfter } from './duty.ts';
import type { DutySlot, Schedule } from './schedule.ts';

export type OnDutyMember = {
  readonly userId: number;
  readonly relief: boolean;
  /** By what the person is on duty, such as `team 5 "Night A", in place of user 3 "ana"`. */
  readonly via: string;
};

/** A person, or a team that is not there at all. */
export type PassedOver = {
  readonly userId: number | undefined;
  readonly teamId: number | undefined;
  readonly reason: string;
};

export type OnDuty = {
  /** Those who are called first, then the relief, each in the order of the teams; nobody twice. */
  readonly members: readonly OnDutyMember[];
  readonly passedOver: readonly PassedOver[];
  /** Why there are no members, as a sentence without its full stop; undefined when there are. */
  readonly nobody: string | undefined;
  /** Nobody is called because somebody said so, not for want of anybody. */
  readonly isLocked: boolean;
  /** When the schedule hands over; undefined: the group has none. */
  readonly until: number | undefined;
};

export function onDutyIn(group: CallGroup, snapshot: PeopleSnapshot, at: number): OnDuty {
  const schedule = group.scheduleId === undefined ? undefined : snapshot.schedules.get(group.scheduleId);
  // A schedule that is not there counts as none: to call a team too many is better than to call nobody.
  if (schedule === undefined) return { ...byTeams(group.teamIds, snapshot, ''), until: undefined };
  const slot = dutyAt(schedule, at);
  return { ...bySlot(schedule, slot, snapshot), until: slot.to };
}

/** Further ahead nobody needs to know when somebody is on duty again. */
const dutyHorizonMs = 8 * 86_400_000;

/** When somebody has the duty of the group, from now on; infinity when that is too far ahead. */
export function nextDutyOf({ scheduleId }: CallGroup, { schedules }: PeopleSnapshot, now: number): number {
  const schedule = schedules.get(scheduleId ?? 0);
  const next = schedule && nextDutyAfter(schedule, now, dutyHorizonMs);
  return next ?? Number.POSITIVE_INFINITY;
}

type Gathered = Omit<OnDuty, 'until'>;

function bySlot(schedule: Schedule, { holder, source, reason }: DutySlot, snapshot: PeopleSnapshot): Gathered {
  const programme = `schedule ${labelOf(schedule)}`;
  const entry = reason === '' ? source : `${source} (${reason})`;
  switch (holder?.kind) {
    case undefined:
      return nobody(`${programme} gives the duty to nobody at this time`);
    case 'locked':
      return { ...nobody(`the duty is locked by ${entry} of ${programme}`), isLocked: true };
    case 'user':
      return gather([{ userId: holder.userId, relief: false, via: `${entry} of ${programme}` }], [], snapshot);
    case 'team':
      return byTeams([holder.teamId], snapshot, ` by ${entry} of ${programme}`);
  }
}

function nobody(reason: string): Gathered {
  return { members: [], passedOver: [], nobody: reason, isLocked: false };
}

function byTeams(teamIds: readonly number[], snapshot: PeopleSnapshot, origin: string): Gathered {
  if (teamIds.length === 0) return nobody('the group has neither teams nor a schedule');
  const candidates: OnDutyMember[] = [];
  const missing: PassedOver[] = [];
  for (const teamId of teamIds) {
    const team = snapshot.teams.get(teamId);
    if (team === undefined) missing.push(missingTeam(teamId, origin));
    else candidates.push(...candidatesOf(team, origin));
  }
  return gather(candidates, missing, snapshot);
}

function missingTeam(teamId: number, origin: string): PassedOver {
  return { userId: undefined, teamId, reason: `team ${teamId}${origin} is not in the directory` };
}

function candidatesOf(team: Team, origin: string): readonly OnDutyMember[] {
  const via = `team ${labelOf(team)}${origin}`;
  return team.members.map(({ userId, relief }) => ({ userId, relief, via }));
}

/** Relief comes last, so that whoever is in one team as relief and in another not is called with the first. */
function gather(
  candidates: readonly OnDutyMember[],
  missing: readonly PassedOver[],
  snapshot: PeopleSnapshot,
): Gathered {
  const members = new Map<number, OnDutyMember>();
  const passedOver = new Map<number, PassedOver>();
  const passOver = (userId: number, reason: string): void => {
    if (!passedOver.has(userId)) passedOver.set(userId, { userId, teamId: undefined, reason });
  };
  for (const candidate of candidates.toSorted((one, other) => Number(one.relief) - Number(other.relief))) {
    const stand = standInFor(candidate.userId, snapshot);
    if (stand.userId !== candidate.userId) passOver(candidate.userId, `replaced by ${nameOf(stand.userId, snapshot)}`);
    const refusal = refusalOf(snapshot.people.get(stand.userId));
    if (refusal !== undefined) passOver(stand.userId, refusal);
    else if (!members.has(stand.userId)) {
      members.set(stand.userId, { ...candidate, userId: stand.userId, via: `${candidate.via}${stand.note}` });
    }
  }
  const others = [...missing, ...passedOver.values()];
  return {
    members: [...members.values()],
    passedOver: others,
    nobody: members.size > 0 ? undefined : whyNobody(others, snapshot),
    isLocked: false,
  };
}

function whyNobody(passedOver: readonly PassedOver[], snapshot: PeopleSnapshot): string {
  if (passedOver.length === 0) return 'those who have the duty have no members';
  const reasons = passedOver.map(({ userId, reason }) =>
    userId === undefined ? reason : `${nameOf(userId, snapshot)} is ${reason}`,
  );
  return reasons.join(', ');
}

function refusalOf(person: Person | undefined): string | undefined {
  if (person === undefined) return 'not in the directory';
  return person.onDuty ? undefined : 'off duty';
}

type StandIn = { readonly userId: number; readonly note: string };

/**
 * Follows who replaces whom to the end. Where that goes round in a circle, or to somebody who is not there, the person is
 * called all the same: nobody has taken the place, and a call lost is worse than a call too many.
 */
function standInFor(userId: number, snapshot: PeopleSnapshot): StandIn {
  const seen = new Set<number>();
  let current = userId;
  for (;;) {
    seen.add(current);
    const next = snapshot.people.get(current)?.replacedById;
    if (next === undefined) break;
    if (seen.has(next))
      return { userId, note: `, as the replacements of ${nameOf(userId, snapshot)} go round in a circle` };
    if (!snapshot.people.has(next))
      return { userId, note: `, as the replacement of ${nameOf(userId, snapshot)} does not exist` };
    current = next;
  }
  return { userId: current, note: current === userId ? '' : `, in place of ${nameOf(userId, snapshot)}` };
}

function nameOf(userId: number, snapshot: PeopleSnapshot): string {
  const person = snapshot.people.get(userId);
  return person === undefined ? `user ${userId}` : `user ${labelOf(person)}`;
}

function labelOf({ id, name }: { readonly id: number; readonly name: string }): string {
  return `${id} "${name}"`;
}
