// Who can be called for a target, whatever the time: the people of a group with its relief, stand-ins, and administrators. Pure.

import { type CallGroup, ownerOfNumber, type PeopleSnapshot } from '../people/call-group.ts';
import { teamsNamedBy, usersNamedBy } from '../people/visibility.ts';
import type { CallPolicy, CallTarget } from './call.ts';

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
