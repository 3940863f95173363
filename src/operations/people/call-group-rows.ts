// Loads call groups and groupings from the store, with their members in order.

import type { CallGroup, CallGroupGrouping, CallMode, ReliefMode } from '../../domain/people/call-group.ts';
import type { Stored } from '../../domain/people/entities.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { type Ids, idsArgument, isAmong, type NamedRow } from '../named-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** `names` is a JSON object. */
    call_groups: NamedRow & {
      station_id: number;
      names: string;
      time_zone: string;
      call_mode: string;
      relief_mode: string;
      relief_group_id: number | null;
      discard_when_nobody: Flag;
      time_to_take: number | null;
      schedule_id: number | null;
    };
    call_group_teams: { call_group_id: number; place: number; team_id: number };
    call_group_groupings: NamedRow & { station_id: number };
    grouping_call_groups: { grouping_id: number; place: number; call_group_id: number };
    grouping_groupings: { grouping_id: number; place: number; member_id: number };
  }
}

const selectGroups = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_groups')
    .select(['id', 'name', 'last_change', 'station_id', 'names', 'time_zone', 'call_mode', 'relief_mode'])
    .select(['relief_group_id', 'discard_when_nobody', 'time_to_take', 'schedule_id'])
    .where(isAmong('id', args.ids, kind))
    .orderBy('id'),
);

const selectTeams = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_group_teams')
    .select(['call_group_id', 'team_id'])
    .where(isAmong('call_group_id', args.ids, kind))
    .orderBy('call_group_id')
    .orderBy('place'),
);

/** Returns the call groups in order of id. */
export async function loadCallGroups(tx: ReadTx, which: Ids): Promise<readonly Stored<CallGroup>[]> {
  const args = idsArgument(which);
  if (args === undefined) return [];
  const rows = await tx.all(selectGroups, args);
  const teams = Map.groupBy(await tx.all(selectTeams, args), ({ call_group_id }) => call_group_id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    names: JSON.parse(row.names),
    stationId: row.station_id,
    timeZone: row.time_zone,
    callMode: row.call_mode as CallMode,
    reliefMode: row.relief_mode as ReliefMode,
    reliefGroupId: row.relief_group_id ?? undefined,
    timeToTakeSeconds: row.time_to_take ?? undefined,
    discardWhenNobodyOnCall: row.discard_when_nobody === 1,
    teamIds: (teams.get(row.id) ?? []).map(({ team_id }) => team_id),
    scheduleId: row.schedule_id ?? undefined,
    lastChange: row.last_change,
  }));
}

const selectGroupings = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_group_groupings')
    .select(['id', 'name', 'last_change', 'station_id'])
    .where(isAmong('id', args.ids, kind))
    .orderBy('id'),
);

const selectMemberGroups = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('grouping_call_groups')
    .select(['grouping_id', 'call_group_id'])
    .where(isAmong('grouping_id', args.ids, kind))
    .orderBy('grouping_id')
    .orderBy('place'),
);

const selectMemberGroupings = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('grouping_groupings')
    .select(['grouping_id', 'member_id'])
    .where(isAmong('grouping_id', args.ids, kind))
    .orderBy('grouping_id')
    .orderBy('place'),
);

/** Returns the groupings in order of id. */
export async function loadGroupings(tx: ReadTx, which: Ids): Promise<readonly Stored<CallGroupGrouping>[]> {
  const args = idsArgument(which);
  if (args === undefined) return [];
  const rows = await tx.all(selectGroupings, args);
  const groups = Map.groupBy(await tx.all(selectMemberGroups, args), ({ grouping_id }) => grouping_id);
  const groupings = Map.groupBy(await tx.all(selectMemberGroupings, args), ({ grouping_id }) => grouping_id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    stationId: row.station_id,
    callGroupIds: (groups.get(row.id) ?? []).map(({ call_group_id }) => call_group_id),
    groupingIds: (groupings.get(row.id) ?? []).map(({ member_id }) => member_id),
    lastChange: row.last_change,
  }));
}
