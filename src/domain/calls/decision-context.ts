// The decision context of the escalation engine: everything one decision needs, loaded before it. Pure.

import { type TollHold, type Tolls, tollHold } from '../channels/toll-limits.ts';
import { type CallGroup, ownerOfNumber, type PeopleSnapshot } from '../people/call-group.ts';
import type { ContactNumber } from '../people/person.ts';
import { refer } from '../people/references.ts';
import { teamsNamedBy, usersNamedBy } from '../people/visibility.ts';
import { type CallPolicy, type CallTarget, type PriorityRules, rulesOf } from './call.ts';
import type { NumberContext } from './usable-numbers.ts';

export type CallContext = {
  readonly snapshot: PeopleSnapshot;
  readonly policy: CallPolicy;
  readonly causes: OpenCauses;
  /** By group with call mode `turn`: the user id of the person who was called last. */
  readonly lastInTurn: ReadonlyMap<number, number>;
  /** By user id: the times of the attempts within the window of the cap, oldest first. */
  readonly recentAttempts: ReadonlyMap<number, readonly number[]>;
  /** Lines of attempts that are due or under way, in the notation of `linesOf`. */
  readonly linesInUse: ReadonlySet<string>;
  /** Ids of people whose line is in use by a call that reads an alarm of this call too. */
  readonly linesReadingAlso?: ReadonlySet<number>;
  /** For the last resort: ids of the people who have heard the call that nobody took. */
  readonly heardAlready?: ReadonlySet<number>;
  /** Ids of numbers that are locked because a wrong PIN was entered three times recently. */
  readonly lockedNumbers?: ReadonlySet<number>;
  /** The deliveries of the day and the limits on them; undefined if nothing is limited. */
  readonly tolls?: Tolls;
  /** Returns the id of a cycle that is not stored yet, a different one with each call. */
  readonly newCycleId: () => number;
};

export type OpenCauses = {
  readonly areAny: boolean;
  /** Whether at least one cause can be acknowledged; a message or a return to normal can only be heard. */
  readonly isAsking: boolean;
  /** The smallest priority number of the open causes. */
  readonly mostUrgent: number;
  readonly isUntilAcknowledged: boolean;
};

/** Returns what decides on the use of a number. */
export function numberContext({ snapshot, policy, lockedNumbers, causes }: CallContext): NumberContext {
  const priority = causes.areAny ? causes.mostUrgent : undefined;
  return { snapshot, policy, priority, ...(lockedNumbers === undefined ? {} : { lockedNumbers }) };
}

/** Returns the toll limit that holds back a delivery to the number; priority 1 is exempt. */
export function tollHoldOf(
  userId: number,
  number: ContactNumber,
  { tolls, causes }: CallContext,
  now: number,
): TollHold | undefined {
  if (tolls === undefined || causes.mostUrgent <= 1) return undefined;
  return tollHold(userId, number, tolls.use, tolls.rules, now);
}

/** Returns the open causes of a call for a single alarm of this priority. */
export function alarmCauses(priority: number, policy: CallPolicy): OpenCauses {
  return {
    areAny: true,
    isAsking: true,
    mostUrgent: priority,
    isUntilAcknowledged: rulesOf(priority, policy).untilAcknowledged,
  };
}

/** Returns the rules of the call: those of its most urgent alarm, or of the most urgent one that must be acknowledged. */
export function rulesFor({ causes, policy }: Pick<CallContext, 'causes' | 'policy'>): PriorityRules {
  const { mostUrgent, isUntilAcknowledged } = causes;
  const ofMostUrgent = rulesOf(mostUrgent, policy);
  if (!isUntilAcknowledged || ofMostUrgent.untilAcknowledged) return ofMostUrgent;
  const repeating = policy.priorities.filter((rules) => rules.untilAcknowledged && rules.priority > mostUrgent);
  return repeating[0] ?? ofMostUrgent;
}

/** Returns the reference to the target, for a sentence. */
export function targetReference({ kind, id }: CallTarget): string {
  if (kind === 'last-resort') return 'the last resort';
  if (kind === 'number') return 'a number';
  return kind === 'group' ? refer.group(id) : refer.user(id);
}

/**
 * Returns the ids of all people a call to this target can reach, on duty or not, relief groups and stand-ins included.
 */
export function peopleInReach(target: CallTarget, snapshot: PeopleSnapshot, policy: CallPolicy): ReadonlySet<number> {
  const groupId = target.kind === 'last-resort' ? policy.lastResortGroupId : target.id;
  const people = new Set<number>();
  if (target.kind === 'number') {
    const owner = ownerOfNumber(target.id, snapshot);
    return new Set(owner === undefined ? [] : [owner.id]);
  }
  if (target.kind === 'user') {
    withStandIns(target.id, snapshot, people);
    return people;
  }
  // The last resort falls back to the administrators.
  if (target.kind === 'last-resort') for (const id of administrators(snapshot)) people.add(id);
  if (groupId === undefined) return people;
  const seen = new Set<number>();
  for (let id: number | undefined = groupId; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const group = snapshot.groups.get(id);
    for (const userId of group === undefined ? [] : namedBy(group, snapshot)) withStandIns(userId, snapshot, people);
    id = group?.reliefGroupId;
  }
  return people;
}

export function administrators({ people }: PeopleSnapshot): readonly number[] {
  return [...people.values()].filter(({ isAdministrator }) => isAdministrator).map(({ id }) => id);
}

/** Returns the ids of the people whom the group names, by its teams and its schedule. */
function namedBy(group: CallGroup, snapshot: PeopleSnapshot): readonly number[] {
  return [...membersOf(group.teamIds, snapshot), ...staffOf(group, snapshot)];
}

/** Returns the ids of the people whom the group calls at some time: where it has a schedule, those whom that names. */
export function staffOf({ teamIds, scheduleId }: CallGroup, snapshot: PeopleSnapshot): readonly number[] {
  const schedule = snapshot.schedules.get(scheduleId ?? 0);
  if (schedule === undefined) return membersOf(teamIds, snapshot);
  return [...membersOf(teamsNamedBy(schedule), snapshot), ...usersNamedBy(schedule)];
}

function membersOf(teamIds: readonly number[], { teams }: PeopleSnapshot): readonly number[] {
  return [...new Set(teamIds)].flatMap((id) => teams.get(id)?.members.map(({ userId }) => userId) ?? []);
}

function withStandIns(userId: number, { people }: PeopleSnapshot, found: Set<number>): void {
  for (let id: number | undefined = userId; id !== undefined && !found.has(id); id = people.get(id)?.replacedById)
    found.add(id);
}
