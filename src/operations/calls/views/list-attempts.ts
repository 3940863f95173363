// Lists the call history: one row per attempt, with how it stands now.

import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../../domain/access/access.ts';
import type { CallHistory } from '../../../domain/calls/call-history.ts';
import type { Language } from '../../../domain/language.ts';
import { searchPatterns } from '../../../domain/search.ts';
import { type DatabaseKind, idsIn, sqlStatement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { allOf, type HistoryFilter, type HistoryListing } from '../../history/filter.ts';
import { nextRaise } from '../../history/next-raise.ts';
import { isVisible, type SeenArgs, seenArgs } from '../../named-rows.ts';
import { clocksApartMs } from '../attempts.ts';
import { type CallHistoryRow, shownHistories } from './shown-history.ts';

type CallHistoryFilter = Pick<HistoryFilter, 'userId' | 'from' | 'to'> & {
  readonly stationId?: number | undefined;
  readonly callGroupId?: number | undefined;
  readonly alarmId?: number | undefined;
  /** The id of an entry of the history of alarms. */
  readonly occurrenceId?: number | undefined;
  readonly status?: number | undefined;
};

export type CallHistoryListing = Omit<HistoryListing, 'filter' | 'sortBy'> & {
  readonly filter: CallHistoryFilter;
  readonly language: Language;
  /** Whether the caller may see addresses; if so, the search includes them. */
  readonly seesAddresses: boolean;
};

type Args = SeenArgs & {
  stationId: number;
  callGroupId: number;
  userId: number;
  alarmId: number;
  occurrenceId: number;
  status: number;
  from: Instant;
  to: Instant;
  now: Instant;
  patterns: string;
  limit: number;
  offset: number;
};

type FilterName =
  | keyof CallHistoryFilter
  | 'bound'
  | 'ofSeenAlarm'
  | 'ofSeenOccurrence'
  | 'ofSeenPerson'
  | 'searched'
  | 'searchedWithAddresses';

/** The numbers of the interface; `reached` is no news of a person who had the time to answer. */
const statuses = { ended: 0, underWay: 1, reached: 3, failed: 4, acknowledged: 5, notAcknowledged: 6 } as const;

/** What follows from the attempt alone, and from how long its number is given to answer. */
function statusAt(now: Instant): RawBuilder<unknown> {
  const endOfTime = sql`call_attempts.ended_at + 1000 * user_numbers.time_to_ack`;
  return sql`case when call_attempts.state in ('due', 'started') then ${sql.lit(statuses.underWay)}
    when call_attempts.ack_at is not null then ${sql.lit(statuses.acknowledged)}
    when call_attempts.state = 'cancelled' or call_attempts.outcome = 'cancelled' then ${sql.lit(statuses.ended)}
    when call_attempts.state = 'failed' then ${sql.lit(statuses.failed)}
    when call_attempts.kind = 'notice' then ${sql.lit(statuses.reached)}
    when coalesce(call_attempts.outcome, '') <> 'declined' and ${endOfTime} > ${now} then ${sql.lit(statuses.reached)}
    else ${sql.lit(statuses.notAcknowledged)} end`;
}

const conditions: Readonly<Record<FilterName, (args: Args, kind: DatabaseKind) => RawBuilder<unknown>>> = {
  bound: (args, kind) => sql`call_attempts.station_id in ${idsIn(args.stationIds, kind)}`,
  stationId: (args) => sql`call_attempts.station_id = ${args.stationId}`,
  callGroupId: (args) => sql`call_attempts.group_id = ${args.callGroupId}`,
  userId: (args) => sql`call_attempts.user_id = ${args.userId}`,
  alarmId: (args) => sql`(call_attempts.id in (${attemptsForAlarm(args.alarmId)})
    or (call_attempts.cause = 'ringIn' and call_attempts.alarm_id = ${args.alarmId}))`,
  ofSeenAlarm: (args, kind) => sql`call_attempts.id in (${attemptsForAlarm(args.alarmId)}
    and call_causes.station_id in ${idsIn(args.stationIds, kind)})`,
  occurrenceId: (args) => sql`call_attempts.id in (${attemptsForOccurrence(args.occurrenceId)})`,
  ofSeenOccurrence: (args, kind) => sql`call_attempts.id in (${attemptsForOccurrence(args.occurrenceId)}
    and call_causes.station_id in ${idsIn(args.stationIds, kind)})`,
  ofSeenPerson: (args, kind) =>
    sql`exists (select 1 from ${table('users')} where id = call_attempts.user_id and (${isVisible('person', args, kind)}))`,
  status: (args) => sql`${statusAt(args.now)} = ${args.status}`,
  from: (args) => sql`call_attempts.created_at >= ${args.from}`,
  to: (args) => sql`call_attempts.created_at < ${args.to}`,
  searched: (args, kind) => hasAll(sql`call_attempts.words`, args, kind),
  searchedWithAddresses: (args, kind) => hasAll(sql`(call_attempts.words || call_attempts.address_words)`, args, kind),
};

const forever = Number.MAX_SAFE_INTEGER;

/** A call that reads an alarm may have begun before it, by its ringing and what was said: and the clocks of nodes differ. */
const begunBeforeMs = 300_000 + clocksApartMs;

/**
 * The attempts made about the time in which a cause of the alarm was open that were for it or announced it; those of earlier
 * versions name no causes, and were for all of their call.
 */
function attemptsForAlarm(alarmId: unknown): RawBuilder<unknown> {
  const causeId = sql`coalesce(call_causes.cause_id, call_causes.id)`;
  const announced = sql`replace(replace(attempt.announced_causes, '[', ','), ']', ',')`;
  return sql`select attempt.id from ${table('call_causes')} join ${table('call_attempts')} as attempt
      on attempt.created_at between call_causes.created_at - ${sql.lit(begunBeforeMs)}
        and coalesce(call_causes.ended_at + ${sql.lit(clocksApartMs)}, ${sql.lit(forever)})
    where call_causes.alarm_id = ${alarmId} and (attempt.tries like '%[' || ${causeId} || ',%'
      or ${announced} like '%,' || ${causeId} || ',%'
      or (attempt.tries = '[]' and attempt.call_id = call_causes.call_id
        and attempt.created_at between call_causes.created_at and coalesce(call_causes.ended_at, ${sql.lit(forever)})))`;
}

/**
 * Likewise those that were under way while the alarm was in one of its occurrences. An alarm that comes again while it is called for
 * keeps its cause, so that the cause alone does not tell for which of them somebody was called.
 */
function attemptsForOccurrence(occurrenceId: number): RawBuilder<unknown> {
  const of = (column: RawBuilder<unknown>) =>
    sql`(select ${column} from ${table('alarm_histories')} as occurrence where occurrence.id = ${occurrenceId})`;
  const raisedAt = of(sql`occurrence.raised_at`);
  const endedAt = sql`coalesce(${of(nextRaise)}, ${sql.lit(forever)})`;
  return sql`${attemptsForAlarm(of(sql`occurrence.alarm_id`))}
    and call_causes.created_at < ${endedAt} and coalesce(call_causes.ended_at, ${sql.lit(forever)}) >= ${raisedAt}
    and attempt.created_at < ${endedAt}
    and (attempt.created_at >= ${raisedAt} or coalesce(attempt.ended_at, ${sql.lit(forever)}) >= ${raisedAt})`;
}

function hasAll(words: RawBuilder<unknown>, { patterns }: Args, kind: DatabaseKind): RawBuilder<unknown> {
  return sql`not exists (select 1 from ${textRows(patterns, kind)} where ${words} not like list.value)`;
}

const source = sql`${table('call_attempts')} left join ${table('user_numbers')} on user_numbers.id = call_attempts.number_id`;

function columns(args: Args): RawBuilder<unknown> {
  return sql`call_attempts.id, call_id, cause, alarm_id, call_attempts.priority, group_id, call_attempts.user_id,
    user_name, call_attempts.channel, call_attempts.address, attempt, ${statusAt(args.now)} as status, created_at,
    started_at, provider_id, tried_providers, rang_at, answered_at, delivered_at, read_at, ack_at, ended_at, outcome, ended_by,
    acknowledged, reason, cancel_reason, detail, tries, announced_causes,
    (select min(station_id) from ${table('call_causes')} where call_causes.alarm_id = call_attempts.alarm_id
      and call_attempts.created_at between call_causes.created_at and coalesce(call_causes.ended_at, ${sql.lit(forever)}))
      as alarm_station`;
}

function buildStatements(names: readonly FilterName[], order: 'asc' | 'desc') {
  const where = (args: Args, kind: DatabaseKind) => allOf(names.map((name) => conditions[name](args, kind)));
  return {
    page: sqlStatement<Args, CallHistoryRow>(
      (args, kind) => sql`select ${columns(args)} from ${source} where ${where(args, kind)}
        order by call_attempts.id ${sql.raw(order)} limit ${args.limit} offset ${args.offset}`,
    ),
    count: sqlStatement<Args, { total: number }>(
      (args, kind) => sql`select count(*) as total from ${source} where ${where(args, kind)}`,
    ),
  };
}

const statementCache = new Map<string, ReturnType<typeof buildStatements>>();

function statementsOf(names: readonly FilterName[], order: 'asc' | 'desc') {
  const key = `${names.join()} ${order}`;
  const found = statementCache.get(key) ?? buildStatements(names, order);
  statementCache.set(key, found);
  return found;
}

export const listCallHistories: Query<
  CallHistoryListing,
  { readonly items: readonly CallHistory[]; readonly total: number }
> = {
  name: 'list-call-histories',
  async run(tx, { caller, language, now, filter, search, seesAddresses, order, limit, offset }) {
    const patterns = searchPatterns(search);
    const args: Args = {
      ...seenArgs(caller),
      stationId: filter.stationId ?? 0,
      callGroupId: filter.callGroupId ?? 0,
      userId: filter.userId ?? 0,
      alarmId: filter.alarmId ?? 0,
      occurrenceId: filter.occurrenceId ?? 0,
      status: filter.status ?? 0,
      from: filter.from ?? 0,
      to: filter.to ?? 0,
      now,
      patterns: JSON.stringify(patterns),
      limit,
      offset,
    };
    const names = filterNames(caller, filter, patterns.length > 0 ? { seesAddresses } : undefined);
    const { page, count } = statementsOf(names, order);
    const total = (await tx.one(count, args))?.total ?? 0;
    const rows = limit === 0 || total === 0 ? [] : await tx.all(page, args);
    return { items: await shownHistories(tx, rows, { caller, language, now }), total };
  },
};

/** The filters by what may belong to another station, as a bound caller has them. */
const ofSeen: Partial<Record<FilterName, FilterName>> = { alarmId: 'ofSeenAlarm', occurrenceId: 'ofSeenOccurrence' };

/** A bound caller finds nothing by an alarm or person of another station. */
function filterNames(
  { stationIds }: Pick<Caller, 'stationIds'>,
  filter: CallHistoryFilter,
  searched: { readonly seesAddresses: boolean } | undefined,
): readonly FilterName[] {
  const isBound = stationIds.length > 0;
  const isByPerson = filter.userId !== undefined || searched !== undefined;
  const given = (Object.keys(filter) as (keyof CallHistoryFilter)[]).filter((name) => filter[name] !== undefined);
  return [
    ...(isBound ? (['bound'] as const) : []),
    ...(isBound && isByPerson ? (['ofSeenPerson'] as const) : []),
    ...given.map((name) => (isBound ? (ofSeen[name] ?? name) : name)),
    ...(searched === undefined
      ? []
      : [searched.seesAddresses ? ('searchedWithAddresses' as const) : ('searched' as const)]),
  ];
}

type HistoryReader = {
  readonly caller: Pick<Caller, 'stationIds'>;
  readonly language: Language;
  readonly now: Instant;
};

/** Returns the newest attempts for an alarm, oldest first. */
export async function attemptsFor(
  tx: ReadTx,
  alarmId: number,
  reader: HistoryReader,
  limit: number,
): Promise<readonly CallHistory[]> {
  const filter = { alarmId };
  const listing = { ...reader, filter, search: '', seesAddresses: false, order: 'desc', limit, offset: 0 } as const;
  return (await listCallHistories.run(tx, listing)).items.toReversed();
}
