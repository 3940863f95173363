// Lists how often and how long each alarm was raised in a period.

import { sql } from 'kysely';
import { byShape, type DatabaseKind, idsIn, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Query, ReadTx } from '../../store/store.ts';
import {
  type HistoryArgs,
  type HistoryListing,
  type HistoryPage,
  type HistoryShape,
  historyConditions,
  inLocation,
  isNarrowed,
  noEntries,
  seenListing,
  shapeAndArgs,
  withSearchFrequency,
} from './filter.ts';
import { countEntries, type IdRange, withSparseness } from './read-rollups.ts';

type StatisticEntry = {
  readonly id: number;
  readonly tagName: string;
  readonly message: string;
  readonly priority: number;
  readonly code: number;
  readonly failures: number;
  readonly totalMs: number;
  /** Whether it is an alarm of Tocsin itself. */
  readonly isSystem: boolean;
};

export const listStatistics: Query<HistoryListing, HistoryPage<StatisticEntry>> = {
  name: 'list-statistics',
  isLong: true,
  async run(tx, asked) {
    const listing = await seenListing(tx, asked);
    if (listing === undefined) return noEntries;
    const { shape: plain, args } = shapeAndArgs(listing);
    const { sortBy } = listing;
    const shape = { ...(await withSearchFrequency(tx, plain, args)), sortBy };
    return shape.ofUser || isNarrowed(shape) ? fromEntries(tx, shape, args) : fromSeries(tx, shape, args);
  },
};

type Shape = HistoryShape & Pick<HistoryListing, 'sortBy'>;

/** The order of alarms; `number` and `time` name columns of the statement. */
function inOrder({ sortBy, order }: Shape, from?: string) {
  const id = sql.ref(from === undefined ? 'alarm_id' : `${from}.alarm_id`);
  const direction = sql.raw(order);
  if (sortBy === 'id') return sql`${id} ${direction}`;
  return sql`${sql.ref(sortBy === 'number' ? 'failures' : 'total_ms')} ${direction}, ${id}`;
}

/** How long one occurrence was active, up to the end of the period. */
function activeMs(args: HistoryArgs, kind: DatabaseKind) {
  const [least, greatest] = kind === 'sqlite' ? ['min', 'max'] : ['least', 'greatest'];
  return sql`${sql.raw(greatest)}(0, ${sql.raw(least)}(coalesce(reset_at, ${args.end}), ${args.end}) - raised_at)`;
}

/** The first and the last entry of a series in the period. */
type Ends = {
  alarm_id: number;
  first_nth: number;
  first_before: number;
  last_id: number;
  last_nth: number;
  last_before: number;
  raised_at: number;
  reset_at: number | null;
  priority: number;
  code: number;
  tag_name: string;
  message: string;
  is_system: number | null;
};

/**
 * Series that were certainly raised in the period, without reading entries: they reach into it and never paused for as
 * long as it.
 */
function wasSurelyRaised(args: HistoryArgs) {
  return sql`(noted_raise >= ${args.from} and longest_gap <= ${args.length})`;
}

const seriesStatements = byShape((shape: Shape) => {
  const reaching = (args: HistoryArgs, kind: DatabaseKind) => sql`
    ${inLocation(shape, args, kind)} and first_raised < ${args.to} and coalesce(ended_at, ${args.to}) >= ${args.from}`;
  const inPeriod = (args: HistoryArgs) =>
    sql`series_id = series.id and raised_at >= ${args.from} and raised_at < ${args.to}`;
  const matching = (args: HistoryArgs, kind: DatabaseKind) => sql`
    from ${table('history_series')} as series
    where ${reaching(args, kind)}
      and (first_raised >= ${args.from} or ended_at < ${args.to} or ${wasSurelyRaised(args)} or exists (
        select 1 from ${table('alarm_histories')} where ${inPeriod(args)}))`;
  const end = (args: HistoryArgs, order: 'asc' | 'desc') => sql`(
    select id from ${table('alarm_histories')} where ${inPeriod(args)}
    order by raised_at ${sql.raw(order)}, id ${sql.raw(order)} limit 1)`;
  const lastMs = (args: HistoryArgs, kind: DatabaseKind) => sql`${activeMs(args, kind)} as last_ms`;
  const ends = (args: HistoryArgs) => sql`
    (select alarm_id, ${end(args, 'asc')} as first_id, ${end(args, 'desc')} as last_id ${matching(args, 'sqlite')}) as series
      join ${table('alarm_histories')} as first_entry on first_entry.id = first_id
      join (select id, nth, active_before, ${lastMs(args, 'sqlite')} from ${table('alarm_histories')}) as last_entry
        on last_entry.id = last_id`;
  // PostgreSQL reads both ends where the index leads, without looking their ids up again: half the time.
  const lateralEnds = (args: HistoryArgs) => {
    const at = (order: 'asc' | 'desc') => sql`cross join lateral (
      select nth, active_before, ${lastMs(args, 'postgres')} from ${table('alarm_histories')} where ${inPeriod(args)}
      order by raised_at ${sql.raw(order)}, id ${sql.raw(order)} limit 1)`;
    return sql`(select id, alarm_id from ${table('history_series')} where ${reaching(args, 'postgres')}) as series
      ${at('asc')} as first_entry ${at('desc')} as last_entry`;
  };
  // The values of all alarms, to sort by.
  const values = (args: HistoryArgs, kind: DatabaseKind) => sql`
    select series.alarm_id, sum(last_entry.nth - first_entry.nth + 1) as failures,
      sum(last_entry.active_before - first_entry.active_before + last_entry.last_ms) as total_ms
    from ${kind === 'sqlite' ? ends(args) : lateralEnds(args)} group by series.alarm_id`;
  return {
    alarms: sqlStatement<HistoryArgs, { alarm_id: number }>((args, kind) => {
      const found = shape.sortBy === 'id' ? sql`select distinct alarm_id ${matching(args, kind)}` : values(args, kind);
      return sql`${found} order by ${inOrder(shape, 'series')} limit ${args.limit} offset ${args.offset}`;
    }),
    count: sqlStatement<HistoryArgs, { total: number }>(
      // Not count(distinct …): for that PostgreSQL sorts all entries.
      (args, kind) => sql`select count(*) as total from (select distinct alarm_id ${matching(args, kind)}) as found`,
    ),
    ends: sqlStatement<HistoryArgs & { alarmIds: string }, Ends>(
      (args, kind) => sql`
      select ends.alarm_id, first_entry.nth as first_nth, first_entry.active_before as first_before, last_id,
        last_entry.nth as last_nth, last_entry.active_before as last_before, last_entry.raised_at, last_entry.reset_at,
        last_entry.priority, last_entry.code, tag_name, message, is_system
      from (select alarm_id, ${end(args, 'asc')} as first_id, ${end(args, 'desc')} as last_id from ${table('history_series')} as series
        where alarm_id in ${idsIn(args.alarmIds, kind)} and ${inLocation(shape, args, kind)}) as ends
      join ${table('alarm_histories')} as first_entry on first_entry.id = first_id
      join ${table('alarm_histories')} as last_entry on last_entry.id = last_id
      join ${table('history_texts')} on history_texts.id = last_entry.text_id
      left join ${table('data_servers')} on data_servers.id = last_entry.data_server_id
      order by last_id`,
    ),
  };
});

/**
 * Each entry of a series holds the number and active time of the entries before it, so that any period is the
 * difference of its two ends. Only the last entry can reach beyond the period.
 */
async function fromSeries(tx: ReadTx, shape: Shape, args: HistoryArgs): Promise<HistoryPage<StatisticEntry>> {
  const { alarms, count, ends } = seriesStatements(shape);
  const total = (await tx.one(count, args))?.total ?? 0;
  const page = args.limit === 0 ? [] : await tx.all(alarms, args);
  const alarmIds = JSON.stringify(page.map(({ alarm_id }) => alarm_id));
  const entries = new Map<number, StatisticEntry>();
  for (const row of page.length === 0 ? [] : await tx.all(ends, { ...args, alarmIds })) {
    const before = entries.get(row.alarm_id);
    const lastMs = Math.max(0, Math.min(row.reset_at ?? args.end, args.end) - row.raised_at);
    entries.set(row.alarm_id, {
      id: row.alarm_id,
      // Rows are sorted by age, so the newest text remains.
      tagName: row.tag_name,
      message: row.message,
      priority: row.priority,
      code: row.code,
      isSystem: row.is_system === 1,
      failures: (before?.failures ?? 0) + row.last_nth - row.first_nth + 1,
      totalMs: (before?.totalMs ?? 0) + row.last_before - row.first_before + lastMs,
    });
  }
  return { items: page.flatMap(({ alarm_id }) => entries.get(alarm_id) ?? []), total };
}

type StatisticRow = {
  id: number;
  tag_name: string;
  message: string;
  priority: number;
  code: number;
  failures: number;
  total_ms: number;
  is_system: number | null;
};

const entryStatements = byShape((shape: Shape) => {
  type Args = HistoryArgs & IdRange;
  const matching = (args: Args, kind: DatabaseKind) =>
    sql`from ${table('alarm_histories')} where ${historyConditions(shape, args, kind)}`;
  return {
    page: sqlStatement<Args, StatisticRow>(
      (args, kind) => sql`
        select counted.alarm_id as id, tag_name, message, newest.priority, newest.code, failures, total_ms, is_system
        from (select alarm_id, count(*) as failures, max(id) as newest_id, sum(${activeMs(args, kind)}) as total_ms
          ${matching(args, kind)} group by alarm_id order by ${inOrder(shape)} limit ${args.limit} offset ${args.offset}) as counted
        join ${table('alarm_histories')} as newest on newest.id = newest_id
        join ${table('history_texts')} on history_texts.id = newest.text_id
        left join ${table('data_servers')} on data_servers.id = newest.data_server_id
        order by ${inOrder(shape, 'counted')}`,
    ),
    count: sqlStatement<Args, { total: number }>(
      // Not count(distinct …): for that PostgreSQL sorts all entries.
      (args, kind) => sql`select count(*) as total from (select distinct alarm_id ${matching(args, kind)}) as found`,
    ),
  };
});

/** Sums entries one by one, for a search, a user or a call group, where only some entries of a series count. */
async function fromEntries(tx: ReadTx, shape: Shape, args: HistoryArgs): Promise<HistoryPage<StatisticEntry>> {
  const range = await countEntries(tx, shape, args);
  const { page, count } = entryStatements(withSparseness(shape, range, 'all'));
  const total = (await tx.one(count, { ...args, ...range }))?.total ?? 0;
  const rows = args.limit === 0 ? [] : await tx.all(page, { ...args, ...range });
  return {
    items: rows.map(({ tag_name, total_ms, is_system, ...row }) => ({
      ...row,
      tagName: tag_name,
      totalMs: total_ms,
      isSystem: is_system === 1,
    })),
    total,
  };
}
