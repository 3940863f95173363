// Filters of the history lists and the SQL conditions built from them.

import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import { searchWords } from '../../domain/search.ts';
import { type DatabaseKind, idsIn, sqlStatement } from '../../store/statement.ts';
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

export type HistoryFilter = {
  readonly stationId?: number | undefined;
  readonly dataServerId?: number | undefined;
  readonly tagGroupId?: number | undefined;
  readonly callGroupId?: number | undefined;
  readonly userId?: number | undefined;
  /** Inclusive; selects by raise time. */
  readonly from?: Instant | undefined;
  /** Exclusive. */
  readonly to?: Instant | undefined;
};

export type HistoryListing = {
  readonly caller: Pick<Caller, 'stationIds'>;
  readonly filter: HistoryFilter;
  readonly search: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  readonly now: Instant;
};

export type HistoryPage<T> = { readonly items: readonly T[]; readonly total: number };

export const noEntries: HistoryPage<never> = { items: [], total: 0 };

type LocationArgs = { stationIds: string; stationId: number; dataServerId: number; tagGroupId: number };

export type HistoryArgs = LocationArgs &
  SearchArgs & {
    userId: number;
    callGroupId: number;
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

/** The conditions of a list; each combination is one statement, compiled once. */
export type HistoryShape = {
  readonly bound: boolean;
  readonly by: readonly (typeof locationNames)[number][];
  readonly ofUser: boolean;
  readonly ofGroup: boolean;
  readonly searched: SearchShape;
  /** Whether the search matches many texts; see `withSearchFrequency`. */
  readonly isCommon: boolean;
  readonly order: 'asc' | 'desc';
};

const forever = Number.MAX_SAFE_INTEGER;

export function shapeAndArgs(listing: HistoryListing): { shape: HistoryShape; args: HistoryArgs } {
  const { caller, filter, order, limit, offset, now } = listing;
  const words = searchWords(listing.search);
  const to = filter.to ?? forever;
  return {
    shape: {
      bound: caller.stationIds.length > 0,
      by: locationNames.filter((name) => filter[name] !== undefined),
      ofUser: filter.userId !== undefined,
      ofGroup: filter.callGroupId !== undefined,
      searched: searchShape(words),
      isCommon: false,
      order,
    },
    args: {
      stationIds: JSON.stringify(caller.stationIds),
      stationId: filter.stationId ?? 0,
      dataServerId: filter.dataServerId ?? 0,
      // No tag group has the id 0, which means "without a group" in the counts.
      tagGroupId: filter.tagGroupId || -1,
      userId: filter.userId ?? 0,
      callGroupId: filter.callGroupId ?? 0,
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

/** The conditions on the location, for any table with its three columns. */
export function inLocation(shape: Pick<HistoryShape, 'bound' | 'by'>, args: LocationArgs, kind: DatabaseKind) {
  return allOf([
    ...shape.by.map((name) => sql`${sql.ref(locationColumns[name])} = ${args[name]}`),
    ...(shape.bound ? [sql`station_id in ${idsIn(args.stationIds, kind)}`] : []),
  ]);
}

type Id = number | RawBuilder<unknown>;

/** The entries of the location and the user between two ids. */
export function inRange(shape: HistoryShape, args: HistoryArgs, [minId, maxId]: [Id, Id], kind: DatabaseKind) {
  return allOf([
    ...(shape.ofUser ? [sql`ack_user_id = ${args.userId}`] : []),
    inLocation(shape, args, kind),
    sql`id between ${minId} and ${maxId}`,
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

function keyOf({ ofUser, by }: HistoryShape) {
  return ofUser ? 'userId' : by.at(-1);
}

/** Orders by id, written to match the same index. */
export function inOrder(shape: HistoryShape, kind: DatabaseKind): RawBuilder<unknown> {
  const key = keyOf(shape);
  const order = sql.raw(shape.order);
  if (kind === 'sqlite' || key === undefined) return sql`id ${order}`;
  return sql`${sql.ref(keyColumns[key])} ${order}, id ${order}`;
}

type RangeArgs = HistoryArgs & { minId: number; maxId: number };

/** All conditions of a list. */
export function historyConditions(shape: HistoryShape, args: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  return allOf([
    kind === 'sqlite' ? inRange(shape, args, [args.minId, args.maxId], kind) : inKeyRange(shape, args),
    inPeriod(shape, args, kind),
    ...(shape.ofGroup ? [sql`id in (${calledFor(args)})`] : []),
    ...(shape.searched === 'none' ? [] : [isFound(shape, args, kind)]),
  ]);
}

/**
 * The id range already selects the period except at its edges. PostgreSQL assumes that the two conditions are
 * independent and expects almost no rows; the case expression makes it expect nearly all of them.
 */
function inPeriod(shape: HistoryShape, { from, to }: RangeArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const isIn = sql`raised_at >= ${from} and raised_at < ${to}`;
  return kind === 'postgres' && keyOf(shape) === undefined ? sql`case when ${isIn} then 1 end is not null` : isIn;
}

/** The entries a group was called for: by an action that became due, or as the relief of another group. */
function calledFor({ callGroupId }: RangeArgs): RawBuilder<unknown> {
  return sql`select history_id from ${table('call_causes')} where target_kind = 'group' and target_id = ${callGroupId} and call_id is not null
    union select history_id from ${table('call_causes')} where call_id in (select call_id from ${table('call_attempts')} where group_id = ${callGroupId})`;
}

/** Selects the texts that contain the words. */
function foundTexts(searched: SearchShape, args: SearchArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const byText = foundBy('history_text_words', 'text_id', searched, args, kind).map((ids) => sql`id in ${ids}`);
  return sql`select id, alarm_id from ${table('history_texts')} where ${allOf(byText)}`;
}

const maxRareTexts = 1_000;

const countTexts = byShape(({ searched }) =>
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
  const { found = 0 } = (await tx.one(countTexts(shape), args)) ?? {};
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

/** Caches one statement per shape. */
export function byShape<T>(build: (shape: HistoryShape) => T): (shape: HistoryShape) => T {
  const built = new Map<string, T>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const found = built.get(key) ?? build(shape);
    built.set(key, found);
    return found;
  };
}
