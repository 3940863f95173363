// Finds which teams, schedules and scenarios of all stations a caller bound to stations sees.

import { sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import { seesStation } from '../../domain/access/access.ts';
import type { Scenario } from '../../domain/people/call-group.ts';
import type { PeopleEntries, PeopleKind } from '../../domain/people/entities.ts';
import { seenSchedule, seenTeam, seenUser, type Visibility, visibilityOf } from '../../domain/people/visibility.ts';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { ReadTx } from '../../store/store.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { actionsOf, loadScenarios } from './scenario-rows.ts';

type ByStations = Pick<Caller, 'stationIds'>;

export async function visibilityIn(tx: ReadTx, caller: ByStations): Promise<Visibility> {
  return visibilityOf(caller, (await readCallConfiguration(tx)).snapshot);
}

/** Returns the ids of the entries without a station that the caller sees; nothing for a caller that sees all of them. */
export async function sharedIdsFor(tx: ReadTx, kind: PeopleKind, caller: ByStations): Promise<readonly number[]> {
  if (caller.stationIds.length === 0) return [];
  const { snapshot } = await readCallConfiguration(tx);
  const visibility = visibilityOf(caller, snapshot);
  switch (kind) {
    case 'team':
      return [...snapshot.teams.keys()].filter((id) => visibility.seesTeam(id));
    case 'schedule':
      return [...snapshot.schedules.keys()].filter((id) => visibility.seesSchedule(id));
    case 'scenario':
      return seenScenarios(tx, visibility);
    default:
      return [];
  }
}

/** The stations of the objects that scenarios are attached to. */
const selectStations = sqlStatement<Record<string, never>, { scenario_id: number; station_id: number }>(
  () => sql`select scenario_id, station_id from ${table('scenario_stations')}
    union select scenario_id, tag_groups.station_id from ${table('scenario_tag_groups')}
      join ${table('tag_groups')} on tag_groups.id = scenario_tag_groups.tag_group_id
    union select scenario_id, alarms.station_id from ${table('scenario_alarms')} join ${table('alarms')} on alarms.id = scenario_alarms.alarm_id`,
);

/** A scenario of all stations is seen through what it is attached to and calls, and by everybody while that is nothing. */
async function seenScenarios(tx: ReadTx, visibility: Visibility): Promise<readonly number[]> {
  const attached = Map.groupBy(await tx.all(selectStations, {}), ({ scenario_id }) => Number(scenario_id));
  const isSeen = (scenario: Scenario): boolean => {
    const stations = (attached.get(scenario.id) ?? []).map(({ station_id }) => Number(station_id));
    const calls = actionsOf(scenario).flatMap(({ action: { type, id } }) =>
      type === 'CallGroup' ? visibility.seesGroup(id) : type === 'CallUser' ? visibility.seesPerson(id) : [],
    );
    const ties = [...stations.map((id) => seesStation(visibility, id)), ...calls];
    return ties.length === 0 || ties.includes(true);
  };
  const shared = (await loadScenarios(tx, 'all')).filter(({ stationId }) => stationId === undefined);
  return shared.filter(isSeen).map(({ id }) => id);
}

type Shown = { readonly [K in PeopleKind]: (entry: PeopleEntries[K], visibility: Visibility) => PeopleEntries[K] };

const shown: Shown = {
  user: seenUser,
  team: seenTeam,
  schedule: seenSchedule,
  callGroup: (group) => group,
  grouping: (grouping) => grouping,
  scenario: (scenario) => scenario,
};

/** Returns the entries as the caller sees them, without members of other stations. */
export async function shownTo<K extends PeopleKind, E extends PeopleEntries[K]>(
  tx: ReadTx,
  kind: K,
  entries: readonly E[],
  caller: ByStations,
): Promise<readonly E[]> {
  if (caller.stationIds.length === 0 || entries.length === 0) return entries;
  const visibility = await visibilityIn(tx, caller);
  return entries.map((entry) => shown[kind](entry, visibility) as E);
}
