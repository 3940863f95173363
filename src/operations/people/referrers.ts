// Finds what refers to a plant or people resource, so that a refused removal can name the referrers.

import { sql } from 'kysely';
import { type Caller, seesStation } from '../../domain/access/access.ts';
import type { Schedule } from '../../domain/on-call/schedule.ts';
import type { PeopleKind } from '../../domain/people/entities.ts';
import { teamsNamedBy, usersNamedBy, type Visibility } from '../../domain/people/visibility.ts';
import type { PlantKind } from '../../domain/plant/entities.ts';
import { type Statement, sqlStatement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { actionsOf, loadScenarios } from './scenario-rows.ts';
import { loadSchedules } from './schedule-rows.ts';
import { sharedIdsFor, visibilityIn } from './visible-entries.ts';

/** `station_id` is null if the referrer belongs to no station. */
type Referrer = { readonly id: number; readonly name: string; readonly station_id: number | null };
type Reference = {
  readonly noun: string;
  readonly find: (tx: ReadTx, id: number, limit: number) => Promise<readonly Referrer[]>;
};
type ById = Statement<{ id: number; limit: number }, Referrer>;

/** Maximum number of referrers in a message. */
const maxNamed = 5;

const nouns = {
  alarms: 'alarm',
  data_servers: 'data server',
  tag_groups: 'tag group',
  users: 'user',
  api_keys: 'API key',
  stations: 'station',
  teams: 'team',
  call_groups: 'call group',
  call_group_groupings: 'grouping',
  scenarios: 'scenario',
} as const satisfies { readonly [T in keyof Tables]?: string };

const scheduleNoun = 'schedule';

type Named = keyof typeof nouns;

const inStation: readonly Named[] = [
  'alarms',
  'data_servers',
  'tag_groups',
  'call_groups',
  'call_group_groupings',
  'scenarios',
];

function stationOf(table: Named) {
  if (table === 'stations') return sql`stations.id`;
  return inStation.includes(table) ? sql.ref(`${table}.station_id`) : sql`cast(null as bigint)`;
}

function bySelect(table: Named, select: ById): Reference {
  return { noun: nouns[table], find: (tx, id, limit) => tx.all(select, { id, limit }) };
}

/** Finds rows that refer to the resource in a column of their own. */
function rowsOf(table: Named, column: string, only = sql`1 = 1`): Reference {
  const select: ById = sqlStatement(
    (args) => sql`select id, name, ${stationOf(table)} as station_id from ${sql.table(table)}
      where ${sql.ref(column)} = ${args.id} and ${only} order by id limit ${args.limit}`,
  );
  return bySelect(table, select);
}

/** Finds rows that refer to the resource through a link table. */
function joinedRows(table: Named, between: keyof Tables, owner: string, column: string, only = sql`1 = 1`): Reference {
  const [from, link] = [sql.table(table), sql.table(between)];
  const select: ById = sqlStatement(
    (args) => sql`select id, name, ${stationOf(table)} as station_id from ${from} where id in (
      select ${sql.ref(owner)} from ${link} where ${sql.ref(column)} = ${args.id} and ${only})
      order by id limit ${args.limit}`,
  );
  return bySelect(table, select);
}

/** Finds alarms whose own actions call the resource. */
function alarmsCalling(type: 'CallGroup' | 'CallUser'): Reference {
  return joinedRows('alarms', 'alarm_actions', 'alarm_id', 'target_id', sql`type = ${sql.lit(type)}`);
}

// Schedules and scenarios are few and stored as JSON, so they are filtered in memory.
function schedulesNaming(names: (schedule: Schedule) => readonly number[]): Reference {
  return {
    noun: scheduleNoun,
    find: async (tx, id) => {
      const all = await loadSchedules(tx, 'all');
      return all.filter((schedule) => names(schedule).includes(id)).map((one) => ({ ...one, station_id: null }));
    },
  };
}

function scenariosCalling(type: 'CallGroup' | 'CallUser'): Reference {
  return {
    noun: nouns.scenarios,
    find: async (tx, id) => {
      const all = await loadScenarios(tx, 'all');
      return all
        .filter((scenario) => actionsOf(scenario).some(({ action }) => action.type === type && action.id === id))
        .map((one) => ({ ...one, station_id: one.stationId ?? null }));
    },
  };
}

const referencesTo: Record<PlantKind | PeopleKind, readonly Reference[]> = {
  station: [
    rowsOf('alarms', 'station_id'),
    rowsOf('data_servers', 'station_id', sql`built_in = 0`),
    rowsOf('tag_groups', 'station_id'),
    rowsOf('call_groups', 'station_id'),
    rowsOf('call_group_groupings', 'station_id'),
    rowsOf('scenarios', 'station_id'),
    joinedRows('users', 'user_stations', 'user_id', 'station_id'),
    joinedRows('api_keys', 'api_key_stations', 'api_key_id', 'station_id'),
  ],
  dataServer: [rowsOf('alarms', 'data_server_id')],
  tagGroup: [rowsOf('alarms', 'tag_group_id')],
  user: [
    joinedRows('teams', 'team_members', 'team_id', 'user_id'),
    rowsOf('users', 'replaced_by_id'),
    schedulesNaming(usersNamedBy),
    scenariosCalling('CallUser'),
    alarmsCalling('CallUser'),
  ],
  team: [joinedRows('call_groups', 'call_group_teams', 'call_group_id', 'team_id'), schedulesNaming(teamsNamedBy)],
  callGroup: [
    joinedRows('call_group_groupings', 'grouping_call_groups', 'grouping_id', 'call_group_id'),
    rowsOf('call_groups', 'relief_group_id'),
    scenariosCalling('CallGroup'),
    alarmsCalling('CallGroup'),
  ],
  grouping: [joinedRows('call_group_groupings', 'grouping_groupings', 'grouping_id', 'member_id')],
  schedule: [rowsOf('call_groups', 'schedule_id'), joinedRows('users', 'user_numbers', 'user_id', 'schedule_id')],
  scenario: [
    joinedRows('stations', 'scenario_stations', 'station_id', 'scenario_id'),
    joinedRows('tag_groups', 'scenario_tag_groups', 'tag_group_id', 'scenario_id'),
    joinedRows('alarms', 'scenario_alarms', 'alarm_id', 'scenario_id'),
  ],
};

/** Returns the referrers, such as `tag group 4 "Pumps"`; those the caller must not see are not named. */
export async function referrersOf(
  tx: ReadTx,
  kind: PlantKind | PeopleKind,
  id: number,
  caller: Pick<Caller, 'stationIds'>,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const visibility = await visibilityIn(tx, caller);
  const scenarioIds = new Set(await sharedIdsFor(tx, 'scenario', caller));
  for (const { noun, find } of referencesTo[kind]) {
    for (const referrer of await find(tx, id, maxNamed)) {
      const isNamed = isSeen(noun, referrer, visibility, scenarioIds);
      found.add(isNamed ? `${noun} ${referrer.id} "${referrer.name}"` : `${article(noun)} ${noun} of another station`);
    }
  }
  return [...found].slice(0, maxNamed);
}

/** Returns what refers to the resource, at most `limit` of each kind. */
export async function namedReferrers(
  tx: ReadTx,
  kind: PlantKind | PeopleKind,
  id: number,
  limit: number,
): Promise<readonly { readonly noun: string; readonly id: number; readonly name: string }[]> {
  const found: { noun: string; id: number; name: string }[] = [];
  for (const { noun, find } of referencesTo[kind])
    for (const referrer of await find(tx, id, limit)) found.push({ noun, id: referrer.id, name: referrer.name });
  return found;
}

function article(noun: string): string {
  return /^[aA]/.test(noun) ? 'an' : 'a';
}

/** API keys are named to nobody who is bound to stations: only administrators list them. */
function isSeen(
  noun: string,
  { id, station_id }: Referrer,
  visibility: Visibility,
  scenarioIds: ReadonlySet<number>,
): boolean {
  if (visibility.isWhole) return true;
  if (station_id !== null) return seesStation(visibility, station_id);
  switch (noun) {
    case nouns.users:
      return visibility.seesPerson(id);
    case nouns.teams:
      return visibility.seesTeam(id);
    case nouns.scenarios:
      return scenarioIds.has(id);
    case scheduleNoun:
      return visibility.seesSchedule(id);
    default:
      return false;
  }
}
