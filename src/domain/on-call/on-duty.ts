// Determines which members of a call group are on duty at an instant, and why others are passed over. Sentences name
// people, teams and schedules by reference (people/references.ts). Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import type { Person, Team } from '../people/person.ts';
import { refer } from '../people/references.ts';
import { dutyAt, dutySlots, isClipped, nextDutyAfter } from './duty.ts';
import type { DutySlot, Schedule } from './schedule.ts';

type OnDutyMember = {
  readonly userId: number;
  readonly relief: boolean;
  /** Why the person is on duty; shown as, for example, `team 5 "Night A", in place of user 3 "ana"`. */
  readonly via: string;
};

/** A person who is not called, or a team that does not exist. */
type PassedOver = {
  readonly userId: number | undefined;
  readonly teamId: number | undefined;
  readonly reason: string;
};

export type OnDuty = {
  /** Regular members, then relief members, each in the order of the teams; no person twice. */
  readonly members: readonly OnDutyMember[];
  readonly passedOver: readonly PassedOver[];
  /** Why there are no members, as a sentence without its full stop; undefined if there are members. */
  readonly nobody: string | undefined;
  /** True if an override locks the duty, as opposed to nobody being available. */
  readonly isLocked: boolean;
  /** Time of the next hand-over; undefined if the group has no schedule, or there is none in the next three months. */
  readonly until: number | undefined;
};

export function onDutyIn(group: CallGroup, snapshot: PeopleSnapshot, at: number): OnDuty {
  const schedule = group.scheduleId === undefined ? undefined : snapshot.schedules.get(group.scheduleId);
  // A missing schedule counts as none: calling a team too many is better than calling nobody.
  if (schedule === undefined) return { ...byTeams(group.teamIds, snapshot, ''), until: undefined };
  const slot = dutyAt(schedule, at);
  return { ...bySlot(schedule, slot, snapshot), until: isClipped(slot.to, at) ? undefined : slot.to };
}

/** Who is on duty for a time; `from` inclusive, `to` exclusive. */
export type OnDutySpan = Members & {
  readonly from: number;
  readonly to: number;
  /** The slot of the schedule by which it is so; undefined if the group has no schedule. */
  readonly slot: DutySlot | undefined;
};

/** Returns spans that cover [from, to) in order; people are those of the snapshot, whose duty may change meanwhile. */
export function onDutyBetween(
  group: CallGroup,
  snapshot: PeopleSnapshot,
  { from, to }: { readonly from: number; readonly to: number },
): readonly OnDutySpan[] {
  const schedule = group.scheduleId === undefined ? undefined : snapshot.schedules.get(group.scheduleId);
  if (schedule === undefined) return [{ from, to, slot: undefined, ...byTeams(group.teamIds, snapshot, '') }];
  return dutySlots(schedule, from, to).map((slot) => ({
    from: slot.from,
    to: slot.to,
    slot,
    ...bySlot(schedule, slot, snapshot),
  }));
}

/** Limit of the search for the next duty. */
const dutyHorizonMs = 8 * 86_400_000;

/** Returns when somebody next has the duty of the group, from now on; Infinity beyond the horizon. */
export function nextDutyOf({ scheduleId }: CallGroup, { schedules }: PeopleSnapshot, now: number): number {
  const schedule = schedules.get(scheduleId ?? 0);
  const next = schedule && nextDutyAfter(schedule, now, dutyHorizonMs);
  return next ?? Number.POSITIVE_INFINITY;
}

export type Members = Omit<OnDuty, 'until'>;

/** Returns who is called by a slot of a schedule. */
export function bySlot(schedule: Schedule, { holder, source, reason }: DutySlot, snapshot: PeopleSnapshot): Members {
  const programme = refer.schedule(schedule.id);
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

function nobody(reason: string): Members {
  return { members: [], passedOver: [], nobody: reason, isLocked: false };
}

function byTeams(teamIds: readonly number[], snapshot: PeopleSnapshot, origin: string): Members {
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
  return { userId: undefined, teamId, reason: `${refer.team(teamId)}${origin} is not in the directory` };
}

function candidatesOf(team: Team, origin: string): readonly OnDutyMember[] {
  const via = `${refer.team(team.id)}${origin}`;
  return team.members.map(({ userId, relief }) => ({ userId, relief, via }));
}

/**
 * Relief candidates are processed last, so that a person who is relief in one team and regular in another counts as
 * regular.
 */
function gather(
  candidates: readonly OnDutyMember[],
  missing: readonly PassedOver[],
  snapshot: PeopleSnapshot,
): Members {
  const members = new Map<number, OnDutyMember>();
  const passedOver = new Map<number, PassedOver>();
  const passOver = (userId: number, reason: string): void => {
    if (!passedOver.has(userId)) passedOver.set(userId, { userId, teamId: undefined, reason });
  };
  for (const candidate of candidates.toSorted((one, other) => Number(one.relief) - Number(other.relief))) {
    const standIn = standInFor(candidate.userId, snapshot);
    if (standIn.userId !== candidate.userId) passOver(candidate.userId, `replaced by ${refer.user(standIn.userId)}`);
    const refusal = refusalOf(snapshot.people.get(standIn.userId));
    if (refusal !== undefined) passOver(standIn.userId, refusal);
    else if (!members.has(standIn.userId)) {
      members.set(standIn.userId, { ...candidate, userId: standIn.userId, via: `${candidate.via}${standIn.note}` });
    }
  }
  const others = [...missing, ...passedOver.values()];
  return {
    members: [...members.values()],
    passedOver: others,
    nobody: members.size > 0 ? undefined : whyNobody(others),
    isLocked: false,
  };
}

function whyNobody(passedOver: readonly PassedOver[]): string {
  if (passedOver.length === 0) return 'those who have the duty have no members';
  const reasons = passedOver.map(({ userId, reason }) =>
    userId === undefined ? reason : `${refer.user(userId)} is ${reason}`,
  );
  return reasons.join(', ');
}

function refusalOf(person: Person | undefined): string | undefined {
  if (person === undefined) return 'not in the directory';
  return person.onDuty ? undefined : 'off duty';
}

type StandIn = { readonly userId: number; readonly note: string };

/**
 * Follows the chain of replacements to its end. If it is a cycle, or leads to somebody who does not exist, the original
 * person is called: nobody has taken over, and a lost call is worse than a superfluous one.
 */
export function standInFor(userId: number, snapshot: PeopleSnapshot): StandIn {
  const seen = new Set<number>();
  let current = userId;
  for (;;) {
    seen.add(current);
    const next = snapshot.people.get(current)?.replacedById;
    if (next === undefined) break;
    if (seen.has(next)) return { userId, note: `, as the replacements of ${refer.user(userId)} go round in a circle` };
    if (!snapshot.people.has(next))
      return { userId, note: `, as the replacement of ${refer.user(userId)} does not exist` };
    current = next;
  }
  return { userId: current, note: current === userId ? '' : `, in place of ${refer.user(userId)}` };
}
