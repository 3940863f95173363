// The history of alarms in the store: entries, statistics per alarm and interventions per user, over one set of filters.

import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../domain/access.ts';
import { isFoundIn, searchPatterns } from '../domain/search.ts';
import { type DatabaseKind, idsIn, type Statement, sqlStatement, textRows } from './statement.ts';
import type { Instant, Query, ReadTx } from './store.ts';

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

export type HistoryEntry = {
  readonly id: number;
  readonly alarmId: number;
  readonly tagName: string;
  readonly message: string;
  readonly priority: number;
  readonly raisedAt: Instant;
  readonly ackAt: Instant | undefined;
  readonly resetAt: Instant | undefined;
  readonly comment: string;
};

export type StatisticEntry = {
  readonly id: number;
  readonly tagName: string;
  readonly message: string;
  readonly priority: number;
  readonly code: number;
  readonly failures: number;
  readonly totalMs: number;
};

export type InterventionEntry = {
  readonly id: number;
  readonly user: string;
  readonly interventions: number;
  readonly reactionMeanMs: number;
  readonly interventionMeanMs: number;
};

type Page<T> = { readonly items: readonly T[]; readonly total: number };

type Args = {
  stationIds: string;
  patterns: string;
  stationId: number;
  dataServerId: number;
  tagGroupId: number;
  userId: number;
  from: number;
  to: number;
  end: number;
  limit: number;
  offset: number;
};

const columnOf = {
  stationId: 'station_id',
  dataServerId: 'data_server_id',
  tagGroupId: 'tag_group_id',
  userId: 'ack_user_id',
} as const;

/** Which conditions a list has; each combination is one statement, compiled once. */
type Shape = {
  readonly bound: boolean;
  readonly searched: boolean;
  readonly by: readonly (keyof typeof columnOf)[];
  readonly order: 'asc' | 'desc';
};

function conditions(shape: Shape, args: Args, kind: DatabaseKind): RawBuilder<unknown> {
  const all = [
    sql`raised_at >= ${args.from}`,
    sql`raised_at < ${args.to}`,
    ...shape.by.map((name) => sql`${sql.ref(columnOf[name])} = ${args[name]}`),
    ...(shape.bound ? [sql`station_id in ${idsIn(args.stationIds, kind)}`] : []),
    ...(shape.searched
      ? [
          sql`not exists (select 1 from ${textRows(args.patterns, kind)} where words || comment_words not like list.value)`,
        ]
      : []),
  ];
  return sql.join(all, sql` and `);
}

/** Statements by shape: built once, found again. */
function byShape<T>(build: (shape: Shape) => T): (shape: Shape) => T {
  const built = new Map<string, T>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const found = built.get(key) ?? build(shape);
    built.set(key, found);
    return found;
  };
}

type HistoryRow = {
  id: number;
  alarm_id: number;
  tag_name: string;
  message: string;
  priority: number;
  raised_at: number;
  ack_at: number | null;
  reset_at: number | null;
  comment: string;
};

type Listed<R> = { readonly page: Statement<Args, R>; readonly count: Statement<Args, { total: number }> };

const historyStatements = byShape<Listed<HistoryRow>>((shape) => ({
  page: sqlStatement(
    (args, kind) => sql`
    select id, alarm_id, tag_name, message, priority, raised_at, ack_at, reset_at, comment from alarm_histories
    where ${conditions(shape, args, kind)} order by id ${sql.raw(shape.order)} limit ${args.limit} offset ${args.offset}`,
  ),
  count: sqlStatement(
    (args, kind) => sql`select count(*) as total from alarm_histories where ${conditions(shape, args, kind)}`,
  ),
}));

type StatisticRow = {
  id: number;
  tag_name: string;
  message: string;
  priority: number;
  code: number;
  failures: number;
  total_ms: number;
};

const statisticStatements = byShape<Listed<StatisticRow>>((shape) => ({
  page: sqlStatement((args, kind) => {
    const least = sql.raw(kind === 'sqlite' ? 'min' : 'least');
    return sql`
      select newest.alarm_id as id, newest.tag_name, newest.message, newest.priority, newest.code, failures, total_ms
      from (select count(*) as failures, max(id) as newest_id,
              sum(${least}(coalesce(reset_at, ${args.end}), ${args.end}) - raised_at) as total_ms
            from alarm_histories where ${conditions(shape, args, kind)} group by alarm_id) as counted
      join alarm_histories as newest on newest.id = newest_id
      order by newest.alarm_id ${sql.raw(shape.order)} limit ${args.limit} offset ${args.offset}`;
  }),
  count: sqlStatement(
    (args, kind) => sql`
    select count(distinct alarm_id) as total from alarm_histories where ${conditions(shape, args, kind)}`,
  ),
}));

type InterventionRow = {
  id: number;
  name: string;
  interventions: number;
  reaction: number | null;
  intervention: number | null;
};

const interventionStatements = byShape<Listed<InterventionRow>>((shape) => ({
  page: sqlStatement(
    (args, kind) => sql`
    select ack_user_id as id, max(ack_user) as name, count(*) as interventions, avg(ack_at - raised_at) as reaction,
      avg(case when reset_at >= ack_at then reset_at - ack_at end) as intervention
    from alarm_histories where ack_user_id is not null and ${conditions(shape, args, kind)}
    group by ack_user_id order by ack_user_id ${sql.raw(shape.order)} limit ${args.limit} offset ${args.offset}`,
  ),
  count: sqlStatement(
    (args, kind) => sql`
    select count(distinct ack_user_id) as total from alarm_histories
    where ack_user_id is not null and ${conditions(shape, args, kind)}`,
  ),
}));

const forever = Number.MAX_SAFE_INTEGER;

async function listed<R>(
  tx: ReadTx,
  listing: HistoryListing,
  search: string,
  statements: (shape: Shape) => Listed<R>,
): Promise<Page<R>> {
  const { caller, filter, order, limit, offset, now } = listing;
  // Nothing calls a group yet, so no group was called for anything.
  if (filter.callGroupId !== undefined) return { items: [], total: 0 };
  const patterns = searchPatterns(search);
  const by = (Object.keys(columnOf) as (keyof typeof columnOf)[]).filter((name) => filter[name] !== undefined);
  const { page, count } = statements({ bound: caller.stationIds.length > 0, searched: patterns.length > 0, by, order });
  const args: Args = {
    stationIds: JSON.stringify(caller.stationIds),
    patterns: JSON.stringify(patterns),
    stationId: filter.stationId ?? 0,
    dataServerId: filter.dataServerId ?? 0,
    tagGroupId: filter.tagGroupId ?? 0,
    userId: filter.userId ?? 0,
    from: filter.from ?? 0,
    to: filter.to ?? forever,
    end: Math.min(filter.to ?? now, now),
    limit,
    offset,
  };
  const total = (await tx.one(count, args))?.total ?? 0;
  return { items: limit === 0 ? [] : await tx.all(page, args), total };
}

export const listHistories: Query<HistoryListing, Page<HistoryEntry>> = {
  name: 'list-histories',
  async run(tx, listing) {
    const { items, total } = await listed(tx, listing, listing.search, historyStatements);
    const entries = items.map((row) => ({
      id: row.id,
      alarmId: row.alarm_id,
      tagName: row.tag_name,
      message: row.message,
      priority: row.priority,
      raisedAt: row.raised_at,
      ackAt: row.ack_at ?? undefined,
      resetAt: row.reset_at ?? undefined,
      comment: row.comment,
    }));
    return { items: entries, total };
  },
};

export const listStatistics: Query<HistoryListing, Page<StatisticEntry>> = {
  name: 'list-statistics',
  async run(tx, listing) {
    const { items, total } = await listed(tx, listing, listing.search, statisticStatements);
    const entries = items.map(({ tag_name, total_ms, ...row }) => ({ ...row, tagName: tag_name, totalMs: total_ms }));
    return { items: entries, total };
  },
};

/** Searched by the user's name, which the entries do not index: users are few, so they are sifted here. */
export const listInterventions: Query<HistoryListing, Page<InterventionEntry>> = {
  name: 'list-interventions',
  async run(tx, listing) {
    const isSearched = searchPatterns(listing.search).length > 0;
    const wanted = isSearched ? { ...listing, limit: forever, offset: 0 } : listing;
    const found = await listed(tx, wanted, '', interventionStatements);
    const entries = found.items.map((row) => ({
      id: row.id,
      user: row.name,
      interventions: row.interventions,
      reactionMeanMs: row.reaction ?? 0,
      interventionMeanMs: row.intervention ?? 0,
    }));
    if (!isSearched) return { items: entries, total: found.total };
    const matching = entries.filter(({ user }) => isFoundIn(user, listing.search));
    return { items: matching.slice(listing.offset, listing.offset + listing.limit), total: matching.length };
  },
};
