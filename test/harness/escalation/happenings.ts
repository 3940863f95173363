// Carries out what happens on a random day besides calling: alarms, operators, changes of the directory, outages.

import type { Person, Team } from '../../../src/domain/people/person.ts';
import { rulesFor } from './directory.ts';
import type { Phones } from './phones.ts';
import type { AlarmChange, DirectoryChange, Happening } from './random-day.ts';
import type { Site } from './site.ts';

export function happen(happening: Happening, site: Site, phones: Phones): void {
  switch (happening.kind) {
    case 'raise': {
      const { priority, asks, targets, delayMs } = happening;
      site.raise(priority, asks, targets, delayMs);
      return;
    }
    case 'take':
    case 'mask':
    case 'return':
    case 'priority':
      changeAlarm(happening, site);
      return;
    case 'provider':
      phones.setProvider(happening.providerId, happening.isUp, happening.noticedAfterMs);
      return;
    case 'node':
      phones.setNode(happening.isUp);
      return;
    case 'restart':
      phones.restart();
      return;
    default:
      changeDirectory(happening, site);
  }
}

function changeAlarm(happening: AlarmChange, site: Site): void {
  const open = site.openCauses.filter(({ asks }) => asks);
  // A flapping priority stays with its alarm, as long as that is open.
  const all = [...site.causes.values()];
  const same = all[happening.pick % Math.max(1, all.length)];
  const cause = happening.kind === 'priority' && same?.asks ? same : open[happening.pick % Math.max(1, open.length)];
  if (cause === undefined || cause.ended !== undefined) return;
  switch (happening.kind) {
    case 'take':
      site.endCause(cause.id, { code: 'taken', by: 'operator' });
      return;
    case 'mask':
      site.endCause(cause.id, { code: 'masked', by: 'operator' });
      return;
    case 'priority':
      site.change(cause.id, happening.priority);
      return;
    case 'return': {
      const isDelayed = site.escalationsOf(cause.id).every(({ dueAt }) => dueAt > site.now);
      const endsOnReturn = rulesFor(cause.priority, site.day.organisation.policy)?.endOnReturn ?? false;
      if (isDelayed || endsOnReturn) site.endCause(cause.id, { code: 'back-to-normal' });
    }
  }
}

function changeDirectory(happening: DirectoryChange, site: Site): void {
  switch (happening.kind) {
    case 'duty':
      changePerson(site, happening.userId, () => ({ onDuty: happening.onDuty }));
      return;
    case 'replace':
      changePerson(site, happening.userId, ({ id }) => ({
        replacedById: happening.byId === id ? undefined : happening.byId,
      }));
      return;
    case 'leave-team':
      changeTeam(site, happening.teamId, (members) => members.filter(({ userId }) => userId !== happening.userId));
      return;
    case 'join-team':
      changeTeam(site, happening.teamId, (members) =>
        members.some(({ userId }) => userId === happening.userId)
          ? members
          : [...members, { userId: happening.userId, relief: false }],
      );
      return;
    case 'delete':
      remove(site, happening.userId);
      return;
    case 'remove-number':
      changePerson(site, happening.userId, ({ numbers }) => ({ numbers: numbers.toSpliced(happening.place, 1) }));
      return;
    case 'switch-number':
      changePerson(site, happening.userId, ({ numbers }) => ({
        numbers: numbers.map((one, place) => (place === happening.place ? { ...one, valid: !one.valid } : one)),
      }));
      return;
    case 'lock-number': {
      const number = site.snapshot.people.get(happening.userId)?.numbers[happening.place];
      if (number !== undefined) site.lock(number.id, site.now + 15 * 60_000);
      return;
    }
    case 'relief-group': {
      const group = site.snapshot.groups.get(happening.groupId);
      if (group === undefined) return;
      const changed = { ...group, reliefGroupId: happening.reliefGroupId };
      site.changeDirectory({ groups: new Map([...site.snapshot.groups, [group.id, changed]]) });
    }
  }
}

function changePerson(site: Site, userId: number, change: (person: Person) => Partial<Person>): void {
  const person = site.snapshot.people.get(userId);
  if (person === undefined) return;
  site.changeDirectory({ people: new Map([...site.snapshot.people, [userId, { ...person, ...change(person) }]]) });
}

function changeTeam(site: Site, teamId: number, change: (members: Team['members']) => Team['members']): void {
  const team = site.snapshot.teams.get(teamId);
  if (team === undefined) return;
  const changed = { ...team, members: change(team.members) };
  site.changeDirectory({ teams: new Map([...site.snapshot.teams, [teamId, changed]]) });
}

function remove(site: Site, userId: number): void {
  const people = new Map([...site.snapshot.people].filter(([id]) => id !== userId));
  if (people.size === 0) return;
  for (const [id, person] of people) {
    if (person.replacedById === userId) people.set(id, { ...person, replacedById: undefined });
  }
  const without = (team: Team): Team => ({ ...team, members: team.members.filter((one) => one.userId !== userId) });
  const teams = new Map([...site.snapshot.teams].map(([id, team]) => [id, without(team)]));
  site.changeDirectory({ people, teams });
}
