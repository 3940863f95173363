// Determines which members of a call group are on duty at an instant, and why others are passed over. Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import type { Person, Team } from '../people/person.ts';
import { dutyAt, dutySlots, isClipped, nextDutyAfter } from './duty.ts';
import type { DutyEntry, NobodyReason, PassedOver, PassedOverReason, StandInReason, ViaReason } from './duty-reason.ts';
import type { DutySlot, Schedule } from './schedule.ts';

type OnDutyMember = {
  readonly userId: number;
  readonly relief: boolean;
  /** Why the person is on duty; shown as, for example, `team 5 "Night A", in place of user 3 "ana"`. */
  readonly via: ViaReason;
};

export type OnDuty = {
  /** Regular members, then relief members, each in the order of the teams; no person twice. */
  readonly members: readonly OnDutyMember[];
  readonly passedOver: readonly PassedOver[];
  /** Why there are no members; undefined if there are some. */
  readonly nobody: NobodyReason | undefined;
  /** True if an override locks the duty, as opposed to nobody being available. */
  readonly isLocked: boolean;
  /** Time of the next hand-over; undefined if the group has no schedule, or there is none in the next three months. */
  readonly until: number | undefined;
};

export function onDutyIn(group: CallGroup, snapshot: PeopleSnapshot, at: number): OnDuty {
  const schedule = group.scheduleId === undefined ? undefined : snapshot.schedules.get(group.scheduleId);
  // A missing schedule counts as none: calling a team too many is better than calling nobody.
  if (schedule === undefined) return { ...byTeams(group.teamIds, snapshot, undefined), until: undefined };
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
  if (schedule === undefined) return [{ from, to, slot: undefined, ...byTeams(group.teamIds, snapshot, undefined) }];
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
  const by = { scheduleId: schedule.id, entry: source, reason };
  switch (holder?.kind) {
    case undefined:
      return nobody({ code: 'gap', scheduleId: schedule.id });
    case 'locked':
      return { ...nobody({ code: 'locked', by }), isLocked: true };
    case 'user': {
      const via = { code: 'named-by-schedule', by, standIn: undefined } as const;
      return gather([{ userId: holder.userId, relief: false, via }], [], snapshot);
    }
    case 'team':
      return byTeams([holder.teamId], snapshot, by);
  }
}

function nobody(reason: NobodyReason): Members {
  return { members: [], passedOver: [], nobody: reason, isLocked: false };
}

function byTeams(teamIds: readonly number[], snapshot: PeopleSnapshot, by: DutyEntry | undefined): Members {
  if (teamIds.length === 0) return nobody({ code: 'no-teams' });
  const candidates: OnDutyMember[] = [];
  const missing: PassedOver[] = [];
  for (const teamId of teamIds) {
    const team = snapshot.teams.get(teamId);
    if (team === undefined) missing.push(missingTeam(teamId, by));
    else candidates.push(...candidatesOf(team, by));
  }
  return gather(candidates, missing, snapshot);
}

function missingTeam(teamId: number, by: DutyEntry | undefined): PassedOver {
  return { userId: undefined, teamId, reason: { code: 'team-missing', teamId, by } };
}

function candidatesOf(team: Team, by: DutyEntry | undefined): readonly OnDutyMember[] {
  const via = { code: 'member-of-team', teamId: team.id, by, standIn: undefined } as const;
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
  const passOver = (userId: number, reason: PassedOverReason): void => {
    if (!passedOver.has(userId)) passedOver.set(userId, { userId, teamId: undefined, reason });
  };
  for (const candidate of candidates.toSorted((one, other) => Number(one.relief) - Number(other.relief))) {
    const standIn = standInFor(candidate.userId, snapshot);
    if (standIn.userId !== candidate.userId) passOver(candidate.userId, { code: 'replaced', byUserId: standIn.userId });
    const refusal = refusalOf(snapshot.people.get(standIn.userId));
    if (refusal !== undefined) passOver(standIn.userId, refusal);
    else if (!members.has(standIn.userId)) {
      const via = { ...candidate.via, standIn: standIn.reason };
      members.set(standIn.userId, { ...candidate, userId: standIn.userId, via });
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

function whyNobody(passedOver: readonly PassedOver[]): NobodyReason {
  return passedOver.length === 0 ? { code: 'no-members' } : { code: 'all-passed-over', passedOver };
}

function refusalOf(person: Person | undefined): PassedOverReason | undefined {
  if (person === undefined) return { code: 'person-missing' };
  return person.onDuty ? undefined : { code: 'off-duty' };
}

/** `reason` is undefined if the person is called as planned. */
type StandIn = { readonly userId: number; readonly reason: StandInReason | undefined };

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
    if (seen.has(next)) return { userId, reason: { code: 'replacements-in-a-circle', userId } };
    if (!snapshot.people.has(next)) return { userId, reason: { code: 'replacement-missing', userId } };
    current = next;
  }
  return { userId: current, reason: current === userId ? undefined : { code: 'in-place-of', userId } };
}
