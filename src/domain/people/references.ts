// References to people, teams, groups and schedules inside the sentences of the call engine. A sentence is stored with
// references, and they become names when it is shown, because not everybody who may read it may read every name. Pure.

import type { Language } from '../language.ts';
import type { PeopleSnapshot } from './call-group.ts';
import { referenceWords } from './reference-words.ts';
import type { Visibility } from './visibility.ts';

type Named = { readonly id: number; readonly name: string };

/** How a sentence names the objects it is about. */
export type References = Readonly<Record<'user' | 'team' | 'group' | 'schedule', (id: number) => string>>;

/** Returns the reference to an object, shown as `user 3 "ana"`; a group is shown as `call group "Pumps"`. */
export const refer = {
  user: (id: number): string => `{user ${id}}`,
  team: (id: number): string => `{team ${id}}`,
  group: (id: number): string => `{group ${id}}`,
  schedule: (id: number): string => `{schedule ${id}}`,
  /** Shown as the name of the user alone. */
  nameOfUser: (id: number): string => `{name ${id}}`,
} satisfies References & Readonly<Record<string, (id: number) => string>>;

const reference = /\{(user|team|group|schedule|name) (\d+)\}/g;

/** Returns the sentence with names in place of the references, as far as the caller sees them. */
export function withNames(
  sentence: string,
  snapshot: PeopleSnapshot,
  visibility: Visibility,
  language: Language = 'en',
): string {
  const names = namesIn(language, snapshot, visibility);
  const nameOfUser = (id: number): string =>
    (visibility.seesPerson(id) ? snapshot.people.get(id)?.name : undefined) ?? names.user(id);
  return sentence.replace(reference, (_, kind: keyof References | 'name', digits: string) =>
    kind === 'name' ? nameOfUser(Number(digits)) : names[kind](Number(digits)),
  );
}

/** Names the objects of the snapshot in a language, as far as the caller sees them. */
export function namesIn(language: Language, snapshot: PeopleSnapshot, seen: Visibility): References {
  const words = referenceWords[language];
  const naming =
    (kind: keyof References, named: ReadonlyMap<number, Named>, isSeen: (id: number) => boolean) =>
    (id: number): string => {
      const object = named.get(id);
      if (object === undefined) return words[kind].removed(id);
      return isSeen(id) ? words[kind].named(id, object.name) : words[kind].foreign;
    };
  return {
    user: naming('user', snapshot.people, (id) => seen.seesPerson(id)),
    team: naming('team', snapshot.teams, (id) => seen.seesTeam(id)),
    group: naming('group', snapshot.groups, (id) => seen.seesGroup(id)),
    schedule: naming('schedule', snapshot.schedules, (id) => seen.seesSchedule(id)),
  };
}
