// Queries that find and list alarms, and the mapping from rows to alarms.

import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { type Caller, seesStation } from '../../domain/access/access.ts';
import type { AlarmState } from '../../domain/alarms/alarm.ts';
import { foreignName } from '../../domain/people/visibility.ts';
import { type SearchWords, searchWords } from '../../domain/search.ts';
import { type DatabaseKind, idsIn, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { foundBy, type SearchArgs, type SearchShape, searchArgs, searchShape } from '../../store/word-index.ts';
import { scenariosThatCall } from '../people/scenario-rows.ts';
import { namesUnseen } from '../people/unseen-filters.ts';
import { visibilityIn } from '../people/visible-entries.ts';
import { type AlarmRecord, alarmColumns, recordOf, type StoredAlarm, shownColumns, storedAlarmOf } from './record.ts';
import { foundWithServer, type ServerSearch, searchServers } from './server-search.ts';

const shown = selectable(shownColumns);
const whole = selectable(alarmColumns);

/** Returns the columns of alarms with these names, the name of the data server and whether it is Tocsin's own. */
function selectable<C extends object>(columns: C) {
  const names = Object.keys(columns) as (keyof C & string)[];
  return [...names.map(ofAlarms), 'data_servers.name as data_server_name', 'data_servers.is_system'] as const;
}

function ofAlarms<N extends string>(name: N): `alarms.${N}` {
  return `alarms.${name}`;
}

const selectById = statement((db, args: { id: number }) =>
  db
    .selectFrom('alarms')
    .innerJoin('data_servers', 'data_servers.id', 'data_server_id')
    .select(shown)
    .where('alarms.id', '=', args.id),
);

const selectRecords = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('alarms')
    .innerJoin('data_servers', 'data_servers.id', 'data_server_id')
    .select(whole)
    .where('alarms.id', 'in', idsIn(args.ids, kind)),
);

const selectRecordsByTag = statement((db, args: { tags: string }, kind) =>
  db
    .selectFrom(alarmsOf(args.tags, kind))
    .innerJoin('data_servers', 'data_servers.id', 'alarms.data_server_id')
    .select(whole),
);

/** The statements that read alarm records. */
export const recordStatements = [selectRecords, selectRecordsByTag] as const;

/**
 * Selects alarms by a JSON list of pairs of data server and path. The lateral join makes PostgreSQL look them up one by
 * one: without statistics it scanned all alarms of the data server for each pair.
 */
function alarmsOf(tags: string, kind: DatabaseKind) {
  const rows =
    kind === 'sqlite'
      ? sql<Tables['alarms']>`(select alarms.* from json_each(${tags}) as tag
          join ${table('alarms')} on alarms.data_server_id = tag.value ->> 0 and alarms.path = tag.value ->> 1)`
      : sql<Tables['alarms']>`(select found.* from json_array_elements(${tags}::json) as tag (value)
          cross join lateral (select * from ${table('alarms')} where alarms.data_server_id = (tag.value ->> 0)::bigint
            and md5(alarms.path) = md5(tag.value ->> 1) and alarms.path = tag.value ->> 1 limit 1) as found)`;
  return rows.as<'alarms'>('alarms');
}

type ByStations = Pick<Caller, 'stationIds'>;

/** Returns the alarm, or undefined if there is none or the caller does not see its station. */
async function findAlarm(tx: ReadTx, id: number, caller: ByStations): Promise<StoredAlarm | undefined> {
  const row = await tx.one(selectById, { id });
  if (row === undefined || !seesStation(caller, row.station_id)) return undefined;
  const [alarm] = await shownTo(tx, [storedAlarmOf(row)], caller);
  return alarm;
}

/** Returns the alarms without the names of people whom the caller does not see. */
async function shownTo(
  tx: ReadTx,
  alarms: readonly StoredAlarm[],
  caller: ByStations,
): Promise<readonly StoredAlarm[]> {
  if (caller.stationIds.length === 0 || alarms.every(({ ackUserId }) => ackUserId === undefined)) return alarms;
  const visibility = await visibilityIn(tx, caller);
  return alarms.map((alarm) =>
    alarm.ackUserId === undefined || visibility.seesPerson(alarm.ackUserId)
      ? alarm
      : { ...alarm, ackUser: foreignName, ackUserId: undefined },
  );
}

export async function findAlarmRecords(tx: ReadTx, ids: readonly number[]): Promise<readonly AlarmRecord[]> {
  return (await tx.all(selectRecords, { ids: JSON.stringify(ids) })).map(recordOf);
}

/** Returns the existing alarms of these tags. */
export async function findRecordsByTag(
  tx: ReadTx,
  tags: readonly (readonly [dataServerId: number, path: string])[],
): Promise<readonly AlarmRecord[]> {
  if (tags.length === 0) return [];
  return (await tx.all(selectRecordsByTag, { tags: JSON.stringify(tags) })).map(recordOf);
}

export const getAlarm: Query<{ id: number; caller: ByStations }, StoredAlarm | undefined> = {
  name: 'get-alarm',
  isQuick: true,
  run: (tx, { id, caller }) => findAlarm(tx, id, caller),
};

const selectAnyDue = statement((db, args: { now: number }) =>
  db.selectFrom('alarms').select('id').where('next_due', '<=', args.now).limit(1),
);

/** Whether a delay or mask has ended and its transition is not applied yet. */
export const hasDueAlarms: Query<{ now: Instant }, boolean> = {
  name: 'has-due-alarms',
  isQuick: true,
  run: async (tx, args) => (await tx.one(selectAnyDue, args)) !== undefined,
};

type AlarmFilter = {
  readonly stationId?: number | undefined;
  readonly dataServerId?: number | undefined;
  readonly tagGroupId?: number | undefined;
  readonly callGroupId?: number | undefined;
  readonly scenarioId?: number | undefined;
  readonly alarmState?: number | undefined;
  readonly inactiveMasked?: number | undefined;
};

type AlarmListing = {
  readonly caller: ByStations;
  readonly filter: AlarmFilter;
  readonly search: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
};

type ListArgs = SearchArgs &
  ServerSearch & {
    stationIds: string;
    stationId: number;
    dataServerId: number;
    tagGroupId: number;
    callGroupId: number;
    scenarioIds: string;
    /** The scenarios that call the requested group. */
    callingScenarioIds: string;
    alarmState: AlarmState;
    limit: number;
    offset: number;
  };

/** The conditions of a list query; each combination is one statement, compiled once. */
type ListShape = {
  readonly bound: boolean;
  readonly searched: SearchShape;
  /** Whether names of data servers have words of the search. */
  readonly withServers: boolean;
  readonly by: readonly ('stationId' | 'dataServerId' | 'tagGroupId' | 'callGroupId' | 'scenarioId')[];
  readonly states: 'one' | 'current' | 'current-and-masked' | 'masked-at-rest';
  readonly order: 'asc' | 'desc';
};

type Where = ExpressionBuilder<Tables, 'alarms'>;

function conditionsOf(eb: Where, shape: ListShape, args: ListArgs, kind: DatabaseKind): Expression<SqlBool>[] {
  const by = {
    stationId: () => eb('alarms.station_id', '=', args.stationId),
    dataServerId: () => eb('alarms.data_server_id', '=', args.dataServerId),
    tagGroupId: () => eb('alarms.tag_group_id', '=', args.tagGroupId),
    callGroupId: () =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('alarm_actions')
            .select('alarm_id')
            .whereRef('alarm_id', '=', 'alarms.id')
            .where('type', '=', 'CallGroup')
            .where('target_id', '=', args.callGroupId),
        ),
        hasScenario(args.callingScenarioIds, kind),
      ]),
    scenarioId: () => hasScenario(args.scenarioIds, kind),
  };
  const atRestAndMasked = eb.and([eb('alarms.state', '=', 0), eb('alarms.mask_until', 'is not', null)]);
  const states = {
    one: () => eb('alarms.state', '=', args.alarmState),
    current: () => eb('alarms.state', '<>', 0),
    'current-and-masked': () => eb.or([eb('alarms.state', '<>', 0), eb('alarms.mask_until', 'is not', null)]),
    'masked-at-rest': () => atRestAndMasked,
  };
  return [
    states[shape.states](),
    ...shape.by.map((name) => by[name]()),
    ...(shape.bound ? [sql<SqlBool>`alarms.station_id in ${idsIn(args.stationIds, kind)}`] : []),
    ...searchConditions(shape, args, kind),
  ];
}

function searchConditions(shape: ListShape, args: ListArgs, kind: DatabaseKind): readonly Expression<SqlBool>[] {
  if (shape.withServers) return foundWithServer(args, kind);
  const found = foundBy('alarm_words', 'alarm_id', shape.searched, args, kind);
  return found.map((ids) => sql<SqlBool>`alarms.id in ${ids}`);
}

/** True if one of the scenarios applies through the alarm, its tag group or its station. */
function hasScenario(scenarioIds: string, kind: DatabaseKind) {
  const isOne = sql`scenario_id in ${idsIn(scenarioIds, kind)}`;
  return sql<SqlBool>`(alarms.id in (select alarm_id from ${table('scenario_alarms')} where ${isOne})
    or alarms.tag_group_id in (select tag_group_id from ${table('scenario_tag_groups')} where ${isOne})
    or alarms.station_id in (select station_id from ${table('scenario_stations')} where ${isOne}))`;
}

function pageStatement(shape: ListShape) {
  return statement((db, args: ListArgs, kind) =>
    db
      .selectFrom('alarms')
      .innerJoin('data_servers', 'data_servers.id', 'alarms.data_server_id')
      .select(shown)
      .where((eb) => eb.and(conditionsOf(eb as unknown as Where, shape, args, kind)))
      .orderBy('alarms.id', shape.order)
      .limit(args.limit)
      .offset(args.offset),
  );
}

function countStatement(shape: ListShape) {
  return statement((db, args: ListArgs, kind) =>
    db
      .selectFrom('alarms')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where((eb) => eb.and(conditionsOf(eb, shape, args, kind))),
  );
}

const compiled = new Map<
  string,
  { page: ReturnType<typeof pageStatement>; count: ReturnType<typeof countStatement> }
>();

function statementsFor(shape: ListShape) {
  const key = JSON.stringify(shape);
  let found = compiled.get(key);
  if (found === undefined) {
    found = { page: pageStatement(shape), count: countStatement(shape) };
    compiled.set(key, found);
  }
  return found;
}

const filterNames = ['stationId', 'dataServerId', 'tagGroupId', 'callGroupId', 'scenarioId'] as const;

function shapeOf({ caller, filter, order }: AlarmListing, words: SearchWords, withServers: boolean): ListShape {
  const masked =
    (['current', 'current-and-masked', 'masked-at-rest'] as const)[filter.inactiveMasked ?? 0] ?? 'current';
  return {
    bound: caller.stationIds.length > 0,
    searched: searchShape(words),
    withServers,
    by: filterNames.filter((name) => filter[name] !== undefined),
    states: filter.alarmState === undefined ? masked : 'one',
    order,
  };
}

const noServers: ServerSearch = { serverWords: '[]', beginningServers: '[]' };

export const listAlarms: Query<AlarmListing, { items: readonly StoredAlarm[]; total: number }> = {
  name: 'list-alarms',
  async run(tx, listing) {
    const { caller, filter, limit, offset } = listing;
    if (await namesUnseen(tx, caller, filter)) return { items: [], total: 0 };
    const words = searchWords(listing.search);
    const servers = await searchServers(tx, words);
    const { page, count } = statementsFor(shapeOf(listing, words, servers !== undefined));
    const args: ListArgs = {
      stationIds: JSON.stringify(caller.stationIds),
      ...searchArgs(words),
      ...(servers ?? noServers),
      stationId: filter.stationId ?? 0,
      dataServerId: filter.dataServerId ?? 0,
      tagGroupId: filter.tagGroupId ?? 0,
      callGroupId: filter.callGroupId ?? 0,
      scenarioIds: JSON.stringify([filter.scenarioId ?? 0]),
      callingScenarioIds: JSON.stringify(await scenariosCalling(tx, filter)),
      alarmState: (filter.alarmState ?? 0) as AlarmState,
      limit,
      offset,
    };
    const total = (await tx.one(count, args))?.total ?? 0;
    const rows = limit === 0 ? [] : await tx.all(page, args);
    const items = rows.map((row) => storedAlarmOf(row));
    return { items: await shownTo(tx, items, caller), total };
  },
};

async function scenariosCalling(tx: ReadTx, { callGroupId }: AlarmFilter): Promise<readonly number[]> {
  return callGroupId === undefined ? [] : scenariosThatCall(tx, callGroupId);
}
