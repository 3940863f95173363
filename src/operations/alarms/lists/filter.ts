// Filters of the lists and counts of alarms, and the SQL conditions built from them.

import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../../domain/access/access.ts';
import type { AlarmState } from '../../../domain/alarms/alarm.ts';
import { type SearchWords, searchWords } from '../../../domain/search.ts';
import { type DatabaseKind, idsIn, isOneOfIds } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { ReadTx } from '../../../store/store.ts';
import type { Tables } from '../../../store/tables.ts';
import { foundBy, type SearchArgs, type SearchShape, searchArgs, searchShape } from '../../../store/word-index.ts';
import { scenariosThatCall } from '../../people/scenario-rows.ts';
import { seenFilter } from '../../people/unseen-filters.ts';
import { foundWithServer, type ServerSearch, searchServers } from './server-search.ts';

type Ids = readonly number[];

export type AlarmFilter = {
  readonly id?: Ids | undefined;
  /** Only alarms with a greater id. */
  readonly afterId?: number | undefined;
  readonly stationId?: Ids | undefined;
  readonly dataServerId?: Ids | undefined;
  readonly tagGroupId?: Ids | undefined;
  readonly callGroupId?: Ids | undefined;
  readonly scenarioId?: Ids | undefined;
  readonly priority?: Ids | undefined;
  readonly alarmState?: number | undefined;
  readonly inactiveMasked?: number | undefined;
};

export type AlarmSelection = {
  readonly caller: Pick<Caller, 'stationIds'>;
  readonly filter: AlarmFilter;
  readonly search: string;
};

const listNames = ['id', 'stationId', 'dataServerId', 'tagGroupId', 'callGroupId', 'scenarioId'] as const;
type ListName = (typeof listNames)[number];

/** The lists of ids as JSON. */
export type FilterArgs = SearchArgs &
  ServerSearch &
  Record<ListName, string> & {
    stationIds: string;
    /** The scenarios that call the requested groups. */
    callingScenarioIds: string;
    /** Empty for all priorities; that is no case of its own, because there is no index by priority. */
    priorities: string;
    /** 0 for all: ids begin with 1. */
    afterId: number;
    alarmState: AlarmState;
  };

/** The conditions of a query; each combination is one statement, compiled once. */
export type FilterShape = {
  readonly bound: boolean;
  readonly searched: SearchShape;
  /** Whether names of data servers have words of the search. */
  readonly withServers: boolean;
  /** Whether the list goes on after an id. */
  readonly continues: boolean;
  readonly by: readonly ListName[];
  readonly states: 'at-rest' | 'one' | 'current' | 'current-and-masked' | 'masked-at-rest';
};

type Where = ExpressionBuilder<Tables, 'alarms'>;

export function conditionsOf(
  eb: Where,
  shape: FilterShape,
  args: FilterArgs,
  kind: DatabaseKind,
): Expression<SqlBool>[] {
  const isIn = (column: string, ids: string) => isOneOfIds(locationOf(column, shape), ids, kind);
  const by = {
    id: () => isOneOfIds(sql.ref('alarms.id'), args.id, kind),
    stationId: () => isIn('station_id', args.stationId),
    dataServerId: () => isIn('data_server_id', args.dataServerId),
    tagGroupId: () => isIn('tag_group_id', args.tagGroupId),
    callGroupId: () =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('alarm_actions')
            .select('alarm_id')
            .whereRef('alarm_id', '=', 'alarms.id')
            .where('type', '=', 'CallGroup')
            .where(isOneOfIds('target_id', args.callGroupId, kind)),
        ),
        hasScenario(args.callingScenarioIds, shape, kind),
      ]),
    scenarioId: () => hasScenario(args.scenarioId, shape, kind),
  };
  return [
    ...stateConditions(eb, shape, args),
    ...shape.by.map((name) => by[name]()),
    sql<SqlBool>`(${args.priorities} = '[]' or alarms.priority in ${idsIn(args.priorities, kind)})`,
    ...(shape.continues ? [sql<SqlBool>`alarms.id > ${args.afterId}`] : []),
    ...(shape.bound ? [sql<SqlBool>`${locationOf('station_id', shape)} in ${idsIn(args.stationIds, kind)}`] : []),
    ...searchConditions(shape, args, kind),
  ];
}

/** A column of the location. Its index is for alarms at rest: the current ones are few, and have an index of their own. */
function locationOf(column: string, { states }: FilterShape): RawBuilder<unknown> {
  const ref = sql.ref(`alarms.${column}`);
  return states === 'at-rest' ? ref : sql`${ref} + 0`;
}

/**
 * Written so that they imply the condition of the index `alarms_current`, except for alarms at rest. A number that is a
 * parameter would not imply it.
 */
function stateConditions(eb: Where, { states }: FilterShape, { alarmState }: FilterArgs): Expression<SqlBool>[] {
  const isCurrent = eb('alarms.state', '<>', sql.lit(0));
  const isMasked = eb('alarms.mask_until', 'is not', null);
  const conditions = {
    'at-rest': () => [eb('alarms.state', '=', sql.lit(0))],
    one: () => [isCurrent, eb('alarms.state', '=', alarmState)],
    current: () => [isCurrent],
    'current-and-masked': () => [eb.or([isCurrent, isMasked])],
    'masked-at-rest': () => [eb('alarms.state', '=', sql.lit(0)), isMasked],
  };
  return conditions[states]();
}

function searchConditions(shape: FilterShape, args: FilterArgs, kind: DatabaseKind): readonly Expression<SqlBool>[] {
  if (shape.withServers) return foundWithServer(args, kind);
  const found = foundBy('alarm_words', 'alarm_id', shape.searched, args, kind);
  return found.map((ids) => sql<SqlBool>`alarms.id in ${ids}`);
}

/** True if one of the scenarios applies through the alarm, its tag group or its station. */
function hasScenario(scenarioIds: string, shape: FilterShape, kind: DatabaseKind) {
  const isOne = sql`scenario_id in ${idsIn(scenarioIds, kind)}`;
  return sql<SqlBool>`(alarms.id in (select alarm_id from ${table('scenario_alarms')} where ${isOne})
    or ${locationOf('tag_group_id', shape)} in (select tag_group_id from ${table('scenario_tag_groups')} where ${isOne})
    or ${locationOf('station_id', shape)} in (select station_id from ${table('scenario_stations')} where ${isOne}))`;
}

function shapeOf({ caller, filter }: AlarmSelection, words: SearchWords, withServers: boolean): FilterShape {
  const { alarmState, inactiveMasked = 0 } = filter;
  const masked = (['current', 'current-and-masked', 'masked-at-rest'] as const)[inactiveMasked] ?? 'current';
  return {
    bound: caller.stationIds.length > 0,
    searched: searchShape(words),
    withServers,
    continues: filter.afterId !== undefined,
    by: listNames.filter((name) => filter[name] !== undefined),
    states: alarmState === undefined ? masked : alarmState === 0 ? 'at-rest' : 'one',
  };
}

const noServers: ServerSearch = { serverWords: '[]', beginningServers: '[]' };

/** Returns the statement to use and its arguments; undefined if the filter names nothing that the caller sees. */
export async function shapeAndArgs(
  tx: ReadTx,
  selection: AlarmSelection,
): Promise<{ readonly shape: FilterShape; readonly args: FilterArgs } | undefined> {
  const { caller, search } = selection;
  const filter = await seenFilter(tx, caller, selection.filter);
  if (filter === undefined) return undefined;
  const words = searchWords(search);
  const servers = await searchServers(tx, words);
  const json = (ids: Ids | undefined): string => JSON.stringify(ids ?? []);
  const {
    id,
    stationId,
    dataServerId,
    tagGroupId,
    callGroupId,
    scenarioId,
    priority,
    alarmState = 0,
    afterId = 0,
  } = filter;
  const args: FilterArgs = {
    stationIds: json(caller.stationIds),
    ...searchArgs(words),
    ...(servers ?? noServers),
    id: json(id),
    stationId: json(stationId),
    dataServerId: json(dataServerId),
    tagGroupId: json(tagGroupId),
    callGroupId: json(callGroupId),
    scenarioId: json(scenarioId),
    callingScenarioIds: json(callGroupId === undefined ? [] : await scenariosThatCall(tx, callGroupId)),
    priorities: json(priority),
    afterId,
    alarmState: alarmState as AlarmState,
  };
  return { shape: shapeOf({ ...selection, filter }, words, servers !== undefined), args };
}
