// What administrators change on a random day: people, numbers, teams, groups, overrides. A change of a snapshot gives the next one.

import type { StoredOverride, StoredSchedule } from '../../../src/domain/on-call/schedule.ts';
import type { PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { Person, Team } from '../../../src/domain/people/person.ts';
import type { DirectoryChange } from './random-changes.ts';

/** Returns what differs after the change; undefined: nothing does. `civil`: the time on the clock. */
export function directoryAfter(
  change: DirectoryChange,
  snapshot: PeopleSnapshot,
  civil: number,
): Partial<PeopleSnapshot> | undefined {
  switch (change.kind) {
    case 'duty':
      return withPerson(snapshot, change.userId, () => ({ onDuty: change.onDuty }));
    case 'replace':
      return withPerson(snapshot, change.userId, ({ id }) => ({
        replacedById: change.byId === id ? undefined : change.byId,
      }));
    case 'leave-team':
      return withTeam(snapshot, change.teamId, (members) => members.filter(({ userId }) => userId !== change.userId));
    case 'join-team':
      return withTeam(snapshot, change.teamId, (members) => withMember(members, change.userId));
    case 'delete':
      return withoutPerson(snapshot, change.userId);
    case 'remove-number':
      return withPerson(snapshot, change.userId, ({ numbers }) => ({ numbers: numbers.toSpliced(change.place, 1) }));
    case 'switch-number':
      return withPerson(snapshot, change.userId, ({ numbers }) => ({
        numbers: numbers.map((one, place) => (place === change.place ? { ...one, valid: !one.valid } : one)),
      }));
    case 'relief-group':
      return withReliefGroup(snapshot, change.groupId, change.reliefGroupId);
    case 'override':
      return withOverride(snapshot, change.scheduleId, {
        ...{ id: change.overrideId, swapId: undefined, reason: '', lock: change.lock },
        ...{ teamId: change.teamId, userId: change.userId },
        ...{ from: civilText(civil + change.afterMs), to: civilText(civil + change.afterMs + change.lastsMs) },
      });
  }
}

function withPerson(
  { people }: PeopleSnapshot,
  userId: number,
  change: (person: Person) => Partial<Person>,
): Partial<PeopleSnapshot> | undefined {
  const person = people.get(userId);
  return person && { people: new Map([...people, [userId, { ...person, ...change(person) }]]) };
}

function withTeam(
  { teams }: PeopleSnapshot,
  teamId: number,
  change: (members: Team['members']) => Team['members'],
): Partial<PeopleSnapshot> | undefined {
  const team = teams.get(teamId);
  return team && { teams: new Map([...teams, [teamId, { ...team, members: change(team.members) }]]) };
}

function withMember(members: Team['members'], userId: number): Team['members'] {
  return members.some((one) => one.userId === userId) ? members : [...members, { userId, relief: false }];
}

/** The last person stays, and whoever an override names: that has to be changed first. */
function withoutPerson(snapshot: PeopleSnapshot, userId: number): Partial<PeopleSnapshot> | undefined {
  const people = new Map([...snapshot.people].filter(([id]) => id !== userId));
  const isNamed = [...snapshot.schedules.values()].some(({ overrides }) =>
    overrides.some((override) => override.userId === userId),
  );
  if (people.size === 0 || isNamed) return undefined;
  for (const [id, person] of people)
    if (person.replacedById === userId) people.set(id, { ...person, replacedById: undefined });
  const without = (team: Team): Team => ({ ...team, members: team.members.filter((one) => one.userId !== userId) });
  return { people, teams: new Map([...snapshot.teams].map(([id, team]) => [id, without(team)])) };
}

function withReliefGroup(
  { groups }: PeopleSnapshot,
  groupId: number,
  reliefGroupId: number | undefined,
): Partial<PeopleSnapshot> | undefined {
  const group = groups.get(groupId);
  return group && { groups: new Map([...groups, [groupId, { ...group, reliefGroupId }]]) };
}

function withOverride(
  { schedules }: PeopleSnapshot,
  scheduleId: number,
  override: StoredOverride,
): Partial<PeopleSnapshot> | undefined {
  const schedule = schedules.get(scheduleId);
  if (schedule === undefined) return undefined;
  const changed: StoredSchedule = { ...schedule, overrides: [...schedule.overrides, override] };
  return { schedules: new Map([...schedules, [scheduleId, changed]]) };
}

/** As people write it, to the second. */
function civilText(at: number): string {
  return new Date(Math.round(at / 1_000) * 1_000).toISOString().slice(0, 19);
}
