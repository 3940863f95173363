// What a decision about a call is made by, gathered before it. Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import type { CallPolicy, CallTarget } from './call.ts';

export type CallContext = {
  readonly directory: PeopleSnapshot;
  readonly policy: CallPolicy;
  readonly causes: OpenCauses;
  /** By group that calls in turn: who was called last. */
  readonly lastInTurn: ReadonlyMap<number, number>;
  /** By person: when attempts of the last window were made, oldest first. */
  readonly recentAttempts: ReadonlyMap<number, readonly number[]>;
  /** Where attempts of ours are under way or about to be, as `linesOf` names it. */
  readonly linesInUse: ReadonlySet<string>;
  /** Numbers, by id, where a wrong PIN was given too often a short while ago. */
  readonly lockedNumbers?: ReadonlySet<number>;
};

export type OpenCauses = {
  readonly areAny: boolean;
  /** Whether somebody is asked to acknowledge something, and not only told. */
  readonly isAsking: boolean;
  /** The smallest priority among them. */
  readonly mostUrgent: number;
  readonly isUntilAcknowledged: boolean;
};

/** One alarm of this priority, and nothing else. */
export function alarmCauses(priority: number, { untilAcknowledged }: CallPolicy): OpenCauses {
  return {
    areAny: true,
    isAsking: true,
    mostUrgent: priority,
    isUntilAcknowledged: untilAcknowledged.includes(priority),
  };
}

/** The target as a sentence begins with it. */
export function whomOf({ kind, id }: CallTarget, { groups, people }: PeopleSnapshot): string {
  if (kind === 'last-resort') return 'The last resort';
  if (kind === 'group') return `Call group "${groups.get(id)?.name ?? id}"`;
  return `User "${people.get(id)?.name ?? id}"`;
}

/** Everybody a call to this target may come to, on duty or not. */
export function peopleInReach(target: CallTarget, directory: PeopleSnapshot, policy: CallPolicy): ReadonlySet<number> {
  const groupId = target.kind === 'last-resort' ? policy.lastResortGroupId : target.id;
  if (target.kind === 'user') return new Set([target.id]);
  if (groupId === undefined) return new Set(administrators(directory));
  const people = new Set<number>();
  const seen = new Set<number>();
  for (let id: number | undefined = groupId; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const group = directory.groups.get(id);
    for (const userId of group === undefined ? [] : namedBy(group, directory)) withStandIns(userId, directory, people);
    id = group?.reliefGroupId;
  }
  return people;
}

export function administrators({ people }: PeopleSnapshot): readonly number[] {
  return [...people.values()].filter(({ isAdministrator }) => isAdministrator).map(({ id }) => id);
}

function namedBy({ teamIds, scheduleId }: CallGroup, { teams, schedules }: PeopleSnapshot): readonly number[] {
  const schedule = schedules.get(scheduleId ?? 0);
  const all = [
    ...teamIds,
    ...(schedule?.weekly.map(({ teamId }) => teamId) ?? []),
    ...(schedule?.rotations.flatMap((rotation) => rotation.teamIds) ?? []),
    ...(schedule?.overrides.flatMap(({ teamId }) => teamId ?? []) ?? []),
  ];
  const members = [...new Set(all)].flatMap((id) => teams.get(id)?.members.map(({ userId }) => userId) ?? []);
  return [...members, ...(schedule?.overrides.flatMap(({ userId }) => userId ?? []) ?? [])];
}

function withStandIns(userId: number, { people }: PeopleSnapshot, found: Set<number>): void {
  for (let id: number | undefined = userId; id !== undefined && !found.has(id); id = people.get(id)?.replacedById)
    found.add(id);
}
