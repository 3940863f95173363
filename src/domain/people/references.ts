// References to people, teams, groups and schedules inside the sentences of the call engine. A sentence is stored with
// references, and they become names when it is shown, because not everybody who may read it may read every name. Pure.

import type { PeopleSnapshot } from './call-group.ts';
import { foreignName, type Visibility } from './visibility.ts';

type Named = { readonly id: number; readonly name: string };

/** Returns the reference to an object, shown as `user 3 "ana"`; a group is shown as `call group "Pumps"`. */
export const refer = {
  user: (id: number): string => `{user ${id}}`,
  team: (id: number): string => `{team ${id}}`,
  group: (id: number): string => `{group ${id}}`,
  schedule: (id: number): string => `{schedule ${id}}`,
  /** Shown as the name of the user alone. */
  nameOfUser: (id: number): string => `{name ${id}}`,
};

const reference = /\{(user|team|group|schedule|name) (\d+)\}/g;

/** Returns the sentence with names in place of the references, as far as the caller sees them. */
export function withNames(sentence: string, snapshot: PeopleSnapshot, visibility: Visibility): string {
  return sentence.replace(reference, (_, kind: keyof typeof shown, digits: string) =>
    shown[kind](Number(digits), snapshot, visibility),
  );
}

type Show = (id: number, snapshot: PeopleSnapshot, visibility: Visibility) => string;

const shown: Readonly<Record<'user' | 'team' | 'group' | 'schedule' | 'name', Show>> = {
  user: (id, { people }, seen) => labelled('user', id, people, seen.seesPerson(id)),
  team: (id, { teams }, seen) => labelled('team', id, teams, seen.seesTeam(id)),
  schedule: (id, { schedules }, seen) => labelled('schedule', id, schedules, seen.seesSchedule(id)),
  group: (id, { groups }, seen) => {
    const group = groups.get(id);
    if (group === undefined) return `call group ${id}`;
    return seen.seesGroup(id) ? `call group "${group.name}"` : `a call group of ${foreignName}`;
  },
  name: (id, { people }, seen) => {
    const person = people.get(id);
    if (person === undefined) return `user ${id}`;
    return seen.seesPerson(id) ? person.name : `a user of ${foreignName}`;
  },
};

/** An object that was removed is named by its number. */
function labelled(noun: string, id: number, named: ReadonlyMap<number, Named>, isSeen: boolean): string {
  const object = named.get(id);
  if (object === undefined) return `${noun} ${id}`;
  return isSeen ? `${noun} ${id} "${object.name}"` : `a ${noun} of ${foreignName}`;
}
