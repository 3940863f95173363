// Loads a snapshot of everything that decides who is called, with one statement per table, whole or what has changed.

import type { PeopleSnapshot } from '../../domain/people/call-group.ts';
import type { ReadTx } from '../../store/store.ts';
import type { Ids } from '../named-rows.ts';
import { loadCallGroups } from './call-group-rows.ts';
import { loadSchedules } from './schedule-rows.ts';
import { loadTeams } from './team-rows.ts';
import { loadUsers } from './user-rows.ts';

export type PeoplePart = 'user' | 'team' | 'callGroup' | 'schedule';

export async function loadPeopleSnapshot(tx: ReadTx): Promise<PeopleSnapshot> {
  return {
    people: byId(await loadUsers(tx, 'all')),
    teams: byId(await loadTeams(tx, 'all')),
    groups: byId(await loadCallGroups(tx, 'all')),
    schedules: byId(await loadSchedules(tx, 'all')),
  };
}

/** Returns the snapshot with the entries of these ids as they are now; the others, and unchanged tables, stay the same objects. */
export async function reloadPeople(
  tx: ReadTx,
  before: PeopleSnapshot,
  idsOf: (part: PeoplePart) => readonly number[],
): Promise<PeopleSnapshot> {
  return {
    people: await reloaded(tx, before.people, idsOf('user'), loadUsers),
    teams: await reloaded(tx, before.teams, idsOf('team'), loadTeams),
    groups: await reloaded(tx, before.groups, idsOf('callGroup'), loadCallGroups),
    schedules: await reloaded(tx, before.schedules, idsOf('schedule'), loadSchedules),
  };
}

type WithId = { readonly id: number };

async function reloaded<T extends WithId>(
  tx: ReadTx,
  before: ReadonlyMap<number, T>,
  ids: readonly number[],
  load: (tx: ReadTx, which: Ids) => Promise<readonly T[]>,
): Promise<ReadonlyMap<number, T>> {
  if (ids.length === 0) return before;
  const found = byId(await load(tx, ids));
  const after = new Map(before);
  for (const id of ids) {
    const entry = found.get(id);
    if (entry === undefined) after.delete(id);
    else after.set(id, entry);
  }
  const areNew = ids.some((id) => found.has(id) && !before.has(id));
  return areNew ? new Map([...after].toSorted(([one], [other]) => one - other)) : after;
}

function byId<T extends WithId>(entries: readonly T[]): ReadonlyMap<number, T> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
