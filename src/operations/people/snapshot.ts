// Loads a snapshot of everything that decides who is called, with one statement per table.

import type { PeopleSnapshot } from '../../domain/people/call-group.ts';
import type { ReadTx } from '../../store/store.ts';
import { loadCallGroups } from './call-group-rows.ts';
import { loadSchedules } from './schedule-rows.ts';
import { loadTeams } from './team-rows.ts';
import { loadUsers } from './user-rows.ts';

export async function loadPeopleSnapshot(tx: ReadTx): Promise<PeopleSnapshot> {
  return {
    people: byId(await loadUsers(tx, 'all')),
    teams: byId(await loadTeams(tx, 'all')),
    groups: byId(await loadCallGroups(tx, 'all')),
    schedules: byId(await loadSchedules(tx, 'all')),
  };
}

function byId<T extends { readonly id: number }>(entries: readonly T[]): ReadonlyMap<number, T> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
