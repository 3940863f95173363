// Filters of the history lists and the SQL conditions built from them.

import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import { searchWords } from '../../domain/search.ts';
import { byShape, type DatabaseKind, idsIn, isOneOfIds, sqlStatement, textRows } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, ReadTx } from '../../store/store.ts';
import {
  foundBy,
  hasWords,
  type SearchArgs,
  type SearchShape,
  searchArgs,
  searchShape,
} from '../../store/word-index.ts';
import { seenFilter } from '../people/unseen-filters.ts';

type Ids = readonly number[];

export type HistoryFilter = {
  readonly stationId?: Ids | undefined;
  readonly dataServerId?: Ids | undefined;
  readonly tagGroupId?: Ids | undefined;
  readonly callGroupId?: Ids | undefined;
  readonly alarmId?: Ids | undefined;
  readonly priority?: Ids | undefined;
  readonly userId?: number | undefined;
  /** Inclusive; selects by raise time. */
  readonly from?: Instant | undefined;
  /** Exclusive. */
  readonly to?: Instant | undefined;
};

export type HistorySelection = {
  readonly caller: Pick<Caller, 'stationIds'>;
  readonly filter: HistoryFilter;
  readonly search: string;
};

export type HistoryListing = HistorySelection & {
  /** What rows are sorted by; rows with the same value by ascending id. */
  readonly sortBy: 'id' | 'number' | 'time';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  readonly now: Instant;
};

export type HistoryPage<T> = { readonly items: readonly T[]; readonly total: number };

export const noEntries: HistoryPage<never> = { items: [], total: 0 };

/** The id to look for in each part of a location, and all of them as JSON lists. */
type LocationArgs = {
  stationIds: string;
  stationId: number;
  dataServerId: number;
  tagGroupId: number;
  stationIdList: string;
  dataServerIdList: string;
  tagGroupIdList: string;
};

export type HistoryArgs = LocationArgs &
  SearchArgs & {
    userId: number;
    callGroupIds: string;
    alarmIds: string;
    priorities: string;
    from: Instant;
    to: Instant;
    length: number;
    /** The instant up to which an occurrence that has not ended is counted. */
    end: Instant;
    limit: number;
    offset: number;
  };

const locationColumns = {
  stationId: 'station_id',
  dataServerId: 'data_server_id',
  tagGroupId: 'tag_group_id',
} as const;
const keyColumns = { ...locationColumns, userId: 'ack_user_id' } as const;
const locationNames = ['stationId', 'dataServerId', 'tagGroupId'] as const;
type LocationName = (typeof locationNames)[number];

/** The conditions of a list; each combination is one statement, compiled once. */
export type HistoryShape = {
  readonly bound: boolean;
  readonly by: readonly LocationName[];
  /** Whether some part of the location has several ids; then all are compared with lists. */
  readonly isList: boolean;
  /** Whether entries of a listed location are found by an index of the location, and not in the order of their ids. */
  readonly isSparse: boolean;
  readonly ofUser: boolean;
  readonly ofGroup: boolean;
  readonly ofAlarm: boolean;
  readonly ofPriority: boolean;
  readonly searched: SearchShape;
  /** Whether the search matches many texts; see `withSearchFrequency`. */
  readonly isCommon: boolean;
  readonly order: 'asc' | 'desc';
};

const forever = Number.MAX_SAFE_INTEGER;

function shapeOf({ caller, filter, order }: HistoryListing, searched: SearchShape): HistoryShape {
  const by = locationNames.filter((name) => filter[name] !== undefined);
  return {
    bound: caller.stationIds.length > 0,
    by,
    isList: by.some((name) => filter[name]?.length !== 1),
    isSparse: false,
    ofUser: filter.userId !== undefined,
    ofGroup: filter.callGroupId !== undefined,
    ofAlarm: filter.alarmId !== undefined,
    ofPriority: filter.priority !== undefined,
    searched,
    isCommon: false,
    order,
  };
}

function locationArgs({ caller, filter }: HistoryListing): LocationArgs {
  const { stationId = [], dataServerId = [] } = filter;
  // No tag group has the id 0, which means "without a group" in the counts.
  const tagGroupId = (filter.tagGroupId ?? []).map((id) => id || -1);
  return {
    stationIds: JSON.stringify(caller.stationIds),
    stationId: stationId[0] ?? 0,
    dataServerId: dataServerId[0] ?? 0,
    tagGroupId: tagGroupId[0] ?? -1,
    stationIdList: JSON.stringify(stationId),
    dataServerIdList: JSON.stringify(dataServerId),
    tagGroupIdList: JSON.stringify(tagGroupId),
  };
}

/** Returns the listing with what the caller sees of its filter; undefined if nothing is left of a part of it. */
export async function seenListing<L extends HistoryListing>(tx: ReadTx, listing: L): Promise<L | undefined> {
  const { caller, filter } = listing;
  const userId = filter.userId === undefined ? undefined : [filter.userId];
  const seen = await seenFilter(tx, caller, { ...filter, userId });
  return seen && { ...listing, filter: { ...seen, userId: filter.userId } };
}

export function shapeAndArgs(listing: HistoryListing): { shape: HistoryShape; args: HistoryArgs } {
  const { filter, limit, offset, now } = listing;
  const words = searchWords(listing.search);
  const to = filter.to ?? forever;
  return {
    shape: shapeOf(listing, searchShape(words)),
    args: {
      ...locationArgs(listing),
      userId: filter.userId ?? 0,
      callGroupIds: JSON.stringify(filter.callGroupId ?? []),
      alarmIds: JSON.stringify(filter.alarmId ?? []),
      priorities: JSON.stringify(filter.priority ?? []),
      ...searchArgs(words),
      from: filter.from ?? 0,
      to,
      length: to - (filter.from ?? 0),
      end: Math.min(to, now),
      limit,
      offset,
    },
  };
}

/** A column, or an expression of it that no index has. */
function columnOf(name: string, isHidden: boolean): RawBuilder<unknown> {
  return isHidden ? sql`${sql.ref(name)} + 0` : sql.ref(name);
}

type LocationShape = Pick<HistoryShape, 'bound' | 'by' | 'isList'>;

/** Whether a part of the location has one of the ids asked for. */
export function isAt(
  name: LocationName,
  column: RawBuilder<unknown>,
  shape: LocationShape,
  args: LocationArgs,
  kind: DatabaseKind,
) {
  return shape.isList ? isOneOfIds(column, args[`${name}List`], kind) : sql`${column} = ${args[name]}`;
}

/** The conditions on the location, for any table with its three columns. */
export function inLocation(shape: LocationShape, args: LocationArgs, kind: DatabaseKind, isHidden = false) {
  return allOf([
    ...shape.by.map((name) => isAt(name, columnOf(locationColumns[name], isHidden), shape, args, kind)),
    ...(shape.bound ? [sql`${columnOf('station_id', isHidden)} in ${idsIn(args.stationIds, kind)}`] : []),
  ]);
}

type Id = number | RawBuilder<unknown>;

/** The entries of the location and the user between two ids. */
export function inRange(shape: HistoryShape, args: HistoryArgs, [minId, maxId]: [Id, Id], kind: DatabaseKind) {
  const isByAlarm = shape.ofAlarm;
  const isInOrder = shape.isList && !shape.isSparse;
  return allOf([
    ...(shape.ofUser ? [sql`${columnOf('ack_user_id', isByAlarm)} = ${args.userId}`] : []),
    inLocation(shape, args, kind, isByAlarm || isInOrder),
    sql`${columnOf('id', isByAlarm || shape.isSparse)} between ${minId} and ${maxId}`,
  ]);
}

/**
 * As inRange, for PostgreSQL: written to match the index on the most selective column. For a first page in order, the
 * planner would otherwise scan the whole history of a location that has few entries.
 */
function inKeyRange(shape: HistoryShape, args: RangeArgs) {
  const key = keyOf(shape);
  if (key === undefined) return inRange(shape, args, [args.minId, args.maxId], 'postgres');
  const column = sql.ref(keyColumns[key]);
  const rest = inLocation({ ...shape, by: shape.by.filter((name) => name !== key) }, args, 'postgres');
  return sql`${column} is not null and (${column}, id) >= (${args[key]}, ${args.minId})
    and (${column}, id) <= (${args[key]}, ${args.maxId}) and ${rest}`;
}

function keyOf({ ofUser, ofAlarm, isList, by }: HistoryShape) {
  if (ofAlarm) return undefined;
  return ofUser ? 'userId' : isList ? undefined : by.at(-1);
}

/** Orders by id, written to match the same index. */
export function inOrder(shape: HistoryShape, kind: DatabaseKind): RawBuilder<unknown> {
  const key = keyOf(shape);
  const order = sql.raw(shape.order);
  if (kind === 'sqlite' || key === undefined) return sql`${columnOf('id', shape.ofAlarm || shape.isSparse)} ${order}`;
  return sql`${sql.ref(keyColumns[key])} ${order}, id ${order}`;
}

type RangeArgs = HistoryArgs & { minId: number; maxId: number };

/** All conditions of a list. */
export function historyConditions(shape: HistoryShape, args: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  return allOf([
    kind === 'sqlite' ? inRange(shape, args, [args.minId, args.maxId], kind) : inKeyRange(shape, args),
    inPeriod(shape, args, kind),
    ...(shape.ofAlarm ? [ofAlarms(args, kind)] : []),
    ...(shape.ofPriority ? [sql`priority in ${idsIn(args.priorities, kind)}`] : []),
    ...(shape.ofGroup ? [sql`id in (${calledFor(args, kind)})`] : []),
    ...(shape.searched === 'none' ? [] : [isFound(shape, args, kind)]),
  ]);
}

/**
 * The id range already selects the period except at its edges. PostgreSQL assumes that the two conditions are
 * independent and expects almost no rows; the case expression makes it expect nearly all of them.
 */
function inPeriod(shape: HistoryShape, { from, to }: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const isIn = sql`raised_at >= ${from} and raised_at < ${to}`;
  const isByRange = keyOf(shape) === undefined && !shape.ofAlarm && !shape.isSparse;
  return kind === 'postgres' && isByRange ? sql`case when ${isIn} then 1 end is not null` : isIn;
}

/** The entries of alarms, by the index of their series. */
function ofAlarms({ alarmIds }: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const series = sql`(select id from ${table('history_series')} where ${isOneOfIds(sql.ref('alarm_id'), alarmIds, kind)})`;
  return kind === 'sqlite' ? sql`series_id in ${series}` : sql`series_id = any (array${series})`;
}

/**
 * The entries that groups were called for: by an action that became due, or as the relief of another group. Limited to the id range:
 * the calls of a group would otherwise be collected from all times. Causes of earlier versions, which have no id of their own, were
 * called for in all attempts of their call.
 */
function calledFor(args: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const { callGroupIds, minId, maxId } = args;
  const isOne = (column: string) => isOneOfIds(sql.ref(column), callGroupIds, kind);
  const ofRange = sql`select history_id from ${table('call_causes')} where history_id between ${minId} and ${maxId}`;
  return sql`${ofRange} and target_kind = 'group' and ${isOne('target_id')} and call_id is not null
    union ${ofRange} and id in (${calledAtLevels(args, kind)})
    union ${ofRange} and cause_id is null
      and call_id in (select call_id from ${table('call_attempts')} where ${isOne('group_id')})`;
}

/** The escalations for which somebody was called of the people on duty of one of the groups, or of their relief. */
function calledAtLevels({ callGroupIds, from }: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const groups = textRows(callGroupIds, kind);
  const levels = sql`select 'duty ' || value from ${groups} union all select 'relief ' || value from ${groups}`;
  if (kind === 'sqlite')
    return sql`select json_extract(one.value, '$[1]') from ${table('call_attempts')}, json_each(call_attempts.tries) as one
      where call_attempts.created_at >= ${from} and json_extract(one.value, '$[2]') in (${levels})`;
  return sql`select (one.value ->> 1)::bigint
    from ${table('call_attempts')}, jsonb_array_elements(call_attempts.tries::jsonb) as one(value)
    where call_attempts.created_at >= ${from} and one.value ->> 2 in (${levels})`;
}

/** Selects the texts that contain the words. */
function foundTexts(searched: SearchShape, args: SearchArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const byText = foundBy('history_text_words', 'text_id', searched, args, kind).map((ids) => sql`id in ${ids}`);
  return sql`select id, alarm_id from ${table('history_texts')} where ${allOf(byText)}`;
}

const maxRareTexts = 1_000;

const countTexts = byShape(({ searched }: Pick<HistoryShape, 'searched'>) =>
  sqlStatement<SearchArgs, { found: number }>(
    (args, kind) =>
      sql`select count(*) as found from (${foundTexts(searched, args, kind)} limit ${sql.lit(maxRareTexts + 1)}) as found_text`,
  ),
);

/**
 * Decides how a search runs. Words that few texts contain are looked up through the series of their alarms. Words that
 * many texts contain are checked entry by entry: a page is full after a few entries, and collecting all matches of ten
 * million first takes seconds.
 */
export async function withSearchFrequency(tx: ReadTx, shape: HistoryShape, args: SearchArgs): Promise<HistoryShape> {
  if (shape.searched === 'none') return shape;
  const { found = 0 } = (await tx.one(countTexts({ searched: shape.searched }), args)) ?? {};
  return { ...shape, isCommon: found > maxRareTexts };
}

/** An entry matches by the words of its text, which entries share, or by all its own words when it has a comment. */
function isFound(shape: HistoryShape, args: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const texts = foundTexts(shape.searched, args, kind);
  return shape.isCommon
    ? sql`(text_id in (select id from (${texts}) as found) or (${hasInComment(shape, args, kind)}))`
    : sql`id in (select entry_id from (${withText(texts, args, kind)}) as found union ${commented(shape, args, kind)})`;
}

/**
 * Checked entry by entry. As one set of all entries with a common word, PostgreSQL scanned the set again for every
 * entry once it exceeded the memory allowed, and a search over a year did not finish in a useful time.
 */
function hasInComment({ searched }: HistoryShape, args: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const isItsWord = sql`history_id = alarm_histories.id`;
  return allOf([sql`comment <> ''`, ...hasWords('history_comment_words', isItsWord, searched, args, kind)]);
}

/**
 * The entries whose comment words match, limited to the id range: a common word would otherwise collect entries of all
 * times.
 */
function commented({ searched }: HistoryShape, args: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const byComment = foundBy('history_comment_words', 'history_id', searched, args, kind);
  return sql`select history_id from ${table('history_comment_words')} where history_id between ${args.minId} and ${args.maxId}
    and ${allOf(byComment.map((ids) => sql`history_id in ${ids}`))}`;
}

/**
 * The entries of the period with one of the texts, found through the series of their alarms. PostgreSQL is forced to go
 * series by series, because it cannot know how few entries a series has in a period.
 */
function withText(texts: RawBuilder<unknown>, args: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const inSeries = sql`series_id = history_series.id and raised_at >= ${args.from} and raised_at < ${args.to}`;
  const entries =
    kind === 'sqlite'
      ? sql`cross join ${table('alarm_histories')} as entry on ${inSeries}`
      : sql`cross join lateral (select id, text_id from ${table('alarm_histories')} where ${inSeries} offset 0) as entry`;
  return sql`with texts as materialized (${texts})
    select entry.id as entry_id from (select distinct alarm_id from texts) as owner
    join ${table('history_series')} on history_series.alarm_id = owner.alarm_id
    ${entries} where entry.text_id in (select id from texts)`;
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

/** Whether only some entries of a location and period are wanted, which the counts do not tell; the user is apart. */
export function isNarrowed({ ofGroup, ofAlarm, ofPriority, searched }: HistoryShape): boolean {
  return ofGroup || ofAlarm || ofPriority || searched !== 'none';
}
