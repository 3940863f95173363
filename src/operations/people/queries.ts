// Finds and lists the resources that decide who is called, by kind.

import type { Caller } from '../../domain/access/access.ts';
import type { PeopleEntries, PeopleKind, Stored } from '../../domain/people/entities.ts';
import type { Query, ReadTx } from '../../store/store.ts';
import { entryFilter, entryStatements, type Ids, seenArgs } from '../named-rows.ts';
import { loadCallGroups, loadGroupings } from './call-group-rows.ts';
import { loadScenarios } from './scenario-rows.ts';
import { loadSchedules } from './schedule-rows.ts';
import { loadTeams } from './team-rows.ts';
import { loadUsers } from './user-rows.ts';
import { sharedIdsFor, shownTo } from './visible-entries.ts';

export const peopleStatements = {
  user: entryStatements({ table: 'users', belongs: 'person', uniqueBy: 'folded_name' }),
  team: entryStatements({ table: 'teams', belongs: 'all' }),
  callGroup: entryStatements({ table: 'call_groups', belongs: 'one' }),
  grouping: entryStatements({ table: 'call_group_groupings', belongs: 'one' }),
  schedule: entryStatements({ table: 'schedules', belongs: 'all' }),
  scenario: entryStatements({ table: 'scenarios', belongs: 'one-or-all' }),
} satisfies Record<PeopleKind, unknown>;

type Loaders = {
  readonly [K in PeopleKind]: (tx: ReadTx, which: Ids) => Promise<readonly Stored<PeopleEntries[K]>[]>;
};

const loaders: Loaders = {
  user: loadUsers,
  team: loadTeams,
  callGroup: loadCallGroups,
  grouping: loadGroupings,
  schedule: loadSchedules,
  scenario: loadScenarios,
};

/** Returns the resource whatever its station; undefined if there is none. */
export async function loadPeopleEntry<K extends PeopleKind>(
  tx: ReadTx,
  kind: K,
  id: number,
): Promise<Stored<PeopleEntries[K]> | undefined> {
  return (await loaders[kind](tx, [id]))[0];
}

type ByStations = Pick<Caller, 'stationIds'>;

/** Returns the resource as the caller sees it; undefined if there is none or the caller does not see it. */
export async function findPeopleEntry<K extends PeopleKind>(
  tx: ReadTx,
  kind: K,
  id: number,
  caller: ByStations,
): Promise<Stored<PeopleEntries[K]> | undefined> {
  const [visible] = await visibleAmong(tx, kind, [id], caller);
  const found = visible === undefined ? undefined : await loadPeopleEntry(tx, kind, visible);
  return found && (await shownTo(tx, kind, [found], caller))[0];
}

/** Returns the ids that exist and are visible to the caller. */
export async function visibleAmong(
  tx: ReadTx,
  kind: PeopleKind,
  ids: readonly number[],
  caller: ByStations,
): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const args = { ids: JSON.stringify(ids), ...seenArgs(caller, await sharedIdsFor(tx, kind, caller)) };
  return (await tx.all(peopleStatements[kind].visibleAmong, args)).map(({ id }) => id);
}

type AnyResource = Stored<PeopleEntries[PeopleKind]>;

export const getPeopleEntry: Query<{ kind: PeopleKind; id: number; caller: ByStations }, AnyResource | undefined> = {
  name: 'get-calling',
  run: (tx, { kind, id, caller }) => findPeopleEntry(tx, kind, id, caller),
};

type PeopleListing = {
  readonly kind: PeopleKind;
  readonly caller: ByStations;
  readonly stationId: number | undefined;
  readonly search: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
};

export const listPeopleEntries: Query<
  PeopleListing,
  { readonly items: readonly AnyResource[]; readonly total: number }
> = {
  name: 'list-calling',
  async run(tx, { kind, caller, stationId, search, order, limit, offset }) {
    const { page, count } = peopleStatements[kind];
    const seen = seenArgs(caller, await sharedIdsFor(tx, kind, caller));
    const filter = entryFilter(seen, stationId, search);
    const total = (await tx.one(count, filter))?.total ?? 0;
    const rows = limit === 0 ? [] : await tx.all(page[order], { ...filter, limit, offset });
    const ids = rows.map(({ id }) => id);
    const found: readonly AnyResource[] = await loaders[kind](tx, ids);
    const items = await shownTo(tx, kind, found, caller);
    return { items: order === 'asc' ? items : items.toReversed(), total };
  },
};

/** Returns the teams of a call group in its order; undefined if the caller sees no such group. */
export const listTeamsOf: Query<
  { callGroupId: number; caller: ByStations },
  readonly Stored<PeopleEntries['team']>[] | undefined
> = {
  name: 'list-teams-of',
  async run(tx, { callGroupId, caller }) {
    const group = await findPeopleEntry(tx, 'callGroup', callGroupId, caller);
    if (group === undefined) return undefined;
    const teams = await shownTo(tx, 'team', await loadTeams(tx, group.teamIds), caller);
    const byId = new Map(teams.map((team) => [team.id, team]));
    return group.teamIds.flatMap((id) => byId.get(id) ?? []);
  },
};
