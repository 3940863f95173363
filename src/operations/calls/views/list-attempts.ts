// Lists the call history: one row per attempt, with the current status of its contact cycle.

import { type RawBuilder, sql } from 'kysely';
import { type Caller, seesStation } from '../../../domain/access/access.ts';
import type { CallHistory } from '../../../domain/calls/call-history.ts';
import { withNames } from '../../../domain/people/references.ts';
import { foreignId, foreignName, type Visibility, visibilityOf } from '../../../domain/people/visibility.ts';
import { searchPatterns } from '../../../domain/search.ts';
import { type DatabaseKind, idsIn, sqlStatement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { seenAlarms } from '../../alarms/seen-alarms.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { allOf, type HistoryFilter, type HistoryListing } from '../../history/filter.ts';
import { isVisible, type SeenArgs, seenArgs } from '../../named-rows.ts';

type CallHistoryFilter = Pick<HistoryFilter, 'userId' | 'from' | 'to'> & {
  readonly stationId?: number | undefined;
  readonly callGroupId?: number | undefined;
  readonly alarmId?: number | undefined;
  readonly status?: number | undefined;
};

export type CallHistoryListing = Omit<HistoryListing, 'filter' | 'sortBy' | 'now'> & {
  readonly filter: CallHistoryFilter;
  /** Whether the caller may see addresses; if so, the search includes them. */
  readonly seesAddresses: boolean;
};

type Args = SeenArgs & {
  stationId: number;
  callGroupId: number;
  userId: number;
  alarmId: number;
  status: number;
  from: Instant;
  to: Instant;
  patterns: string;
  limit: number;
  offset: number;
};

type FilterName =
  | keyof CallHistoryFilter
  | 'bound'
  | 'ofSeenAlarm'
  | 'ofSeenPerson'
  | 'searched'
  | 'searchedWithAddresses';

/**
 * The status of the contact cycle now. Without a cycle: of a person who rang in, whether they acknowledged anything; 4,
 * failed, of one who could not be called.
 */
const status = sql`coalesce(call_cycles.status, case when call_attempts.cause <> 'ringIn' then 4
  when call_attempts.ack_at is null then 6 else 5 end)`;

/**
 * Filters by alarm use the causes of the call at the time of the attempt; the column `alarm_id` is only the most
 * urgent.
 */
const conditions: Readonly<Record<FilterName, (args: Args, kind: DatabaseKind) => RawBuilder<unknown>>> = {
  bound: (args, kind) => sql`call_attempts.station_id in ${idsIn(args.stationIds, kind)}`,
  stationId: (args) => sql`call_attempts.station_id = ${args.stationId}`,
  callGroupId: (args) => sql`call_attempts.group_id = ${args.callGroupId}`,
  userId: (args) => sql`call_attempts.user_id = ${args.userId}`,
  alarmId: (args) =>
    sql`(exists (${causesDuring(args.alarmId)}) or (call_attempts.cause = 'ringIn' and call_attempts.alarm_id = ${args.alarmId}))`,
  ofSeenAlarm: (args, kind) =>
    sql`exists (${causesDuring(args.alarmId)} and station_id in ${idsIn(args.stationIds, kind)})`,
  ofSeenPerson: (args, kind) =>
    sql`exists (select 1 from ${table('users')} where id = call_attempts.user_id and (${isVisible('person', args, kind)}))`,
  status: (args) => sql`${status} = ${args.status}`,
  from: (args) => sql`call_attempts.created_at >= ${args.from}`,
  to: (args) => sql`call_attempts.created_at < ${args.to}`,
  searched: (args, kind) => hasAll(sql`call_attempts.words`, args, kind),
  searchedWithAddresses: (args, kind) => hasAll(sql`(call_attempts.words || call_attempts.address_words)`, args, kind),
};

/** The causes of the call that were open at the time of the attempt and came from this alarm. */
function causesDuring(alarmId: unknown): RawBuilder<unknown> {
  return sql`select 1 from ${table('call_causes')} where call_causes.call_id = call_attempts.call_id
    and call_causes.alarm_id = ${alarmId} and call_attempts.created_at >= call_causes.created_at
    and (call_causes.ended_at is null or call_attempts.created_at <= call_causes.ended_at)`;
}

function hasAll(words: RawBuilder<unknown>, { patterns }: Args, kind: DatabaseKind): RawBuilder<unknown> {
  return sql`not exists (select 1 from ${textRows(patterns, kind)} where ${words} not like list.value)`;
}

const columns = sql`call_attempts.id, call_attempts.call_id, cause, alarm_id, call_attempts.priority, call_attempts.group_id,
  call_attempts.user_id, user_name, channel, address, attempt, ${status} as status, created_at, started_at,
  provider_id, rang_at, answered_at, delivered_at, read_at, ack_at, ended_at, outcome, call_attempts.ended_by, acknowledged, detail, (select min(station_id) from ${table('call_causes')}
    where call_causes.call_id = call_attempts.call_id and call_causes.alarm_id = call_attempts.alarm_id) as alarm_station`;
const source = sql`${table('call_attempts')} left join ${table('call_cycles')} on call_cycles.id = call_attempts.cycle_id`;

function buildStatements(names: readonly FilterName[], order: 'asc' | 'desc') {
  const where = (args: Args, kind: DatabaseKind) => allOf(names.map((name) => conditions[name](args, kind)));
  return {
    page: sqlStatement<Args, CallHistoryRow>(
      (args, kind) => sql`select ${columns} from ${source} where ${where(args, kind)}
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
  async run(tx, { caller, filter, search, seesAddresses, order, limit, offset }) {
    const patterns = searchPatterns(search);
    const isBound = caller.stationIds.length > 0;
    const isByPerson = filter.userId !== undefined || patterns.length > 0;
    const names: FilterName[] = [
      ...(isBound ? (['bound'] as const) : []),
      ...(isBound && filter.alarmId !== undefined ? (['ofSeenAlarm'] as const) : []),
      ...(isBound && isByPerson ? (['ofSeenPerson'] as const) : []),
      ...(Object.keys(filter) as (keyof CallHistoryFilter)[]).filter((name) => filter[name] !== undefined),
      ...(patterns.length > 0 ? ([seesAddresses ? 'searchedWithAddresses' : 'searched'] as const) : []),
    ];
    const args: Args = {
      ...seenArgs(caller),
      stationId: filter.stationId ?? 0,
      callGroupId: filter.callGroupId ?? 0,
      userId: filter.userId ?? 0,
      alarmId: filter.alarmId ?? 0,
      status: filter.status ?? 0,
      from: filter.from ?? 0,
      to: filter.to ?? 0,
      patterns: JSON.stringify(patterns),
      limit,
      offset,
    };
    const { page, count } = statementsOf(names, order);
    const total = (await tx.one(count, args))?.total ?? 0;
    const rows = limit === 0 || total === 0 ? [] : await tx.all(page, args);
    return { items: await shownRows(tx, rows, caller), total };
  },
};

/** Returns the rows as the caller sees them: nothing of people and alarms of other stations but that they were called. */
async function shownRows(
  tx: ReadTx,
  rows: readonly CallHistoryRow[],
  caller: Pick<Caller, 'stationIds'>,
): Promise<readonly CallHistory[]> {
  if (rows.length === 0) return [];
  const { snapshot, providers } = await readCallConfiguration(tx);
  const visibility = visibilityOf(caller, snapshot);
  // Providers serve all stations: who is bound to some of them does not learn their names.
  const names = new Map((visibility.isWhole ? providers : []).map(({ id, name }) => [id, name]));
  const seesAlarm = ({ alarm_station }: CallHistoryRow): boolean =>
    visibility.isWhole || (alarm_station !== null && seesStation(caller, Number(alarm_station)));
  const items = rows.map(historyOf);
  const named = items.flatMap(({ acknowledged }) => acknowledged.map(([alarmId]) => alarmId));
  const seen = visibility.isWhole ? new Set(named) : await seenAlarms(tx, named, caller);
  return items.map((item, index) => {
    const row = rows[index] as CallHistoryRow;
    return {
      ...item,
      provider: names.get(row.provider_id ?? 0),
      acknowledged: item.acknowledged.filter(([alarmId]) => seen.has(alarmId)),
      ...(seesActor(row.ended_by, visibility) ? {} : { endedBy: undefined }),
      ...(visibility.seesPerson(row.user_id) ? {} : { userId: foreignId, user: foreignName, address: '' }),
      ...(seesAlarm(row) ? {} : { alarmId: undefined, priority: undefined }),
      detail: withNames(row.detail, snapshot, visibility),
    };
  });
}

/** Whether the actor is no user, or one whom the caller sees. */
function seesActor(actor: string | null, visibility: Visibility): boolean {
  const [, id] = /^user:(\d+)$/.exec(actor ?? '') ?? [];
  return id === undefined || visibility.seesPerson(Number(id));
}

/** Returns the newest attempts for an alarm, oldest first. */
export async function attemptsFor(
  tx: ReadTx,
  alarmId: number,
  caller: Pick<Caller, 'stationIds'>,
  limit: number,
): Promise<readonly CallHistory[]> {
  const { items } = await listCallHistories.run(tx, {
    caller,
    filter: { alarmId },
    search: '',
    seesAddresses: false,
    order: 'desc',
    limit,
    offset: 0,
  });
  return items.toReversed();
}

type CallHistoryRow = {
  id: number;
  call_id: number;
  cause: string;
  alarm_id: number | null;
  priority: number;
  group_id: number | null;
  user_id: number;
  user_name: string;
  channel: string;
  address: string;
  attempt: number;
  status: number;
  created_at: number;
  started_at: number | null;
  provider_id: number | null;
  rang_at: number | null;
  answered_at: number | null;
  delivered_at: number | null;
  read_at: number | null;
  ack_at: number | null;
  ended_at: number | null;
  outcome: string | null;
  ended_by: string | null;
  acknowledged: string;
  detail: string;
  alarm_station: number | null;
};

function historyOf(row: CallHistoryRow): CallHistory {
  return {
    id: row.id,
    callId: row.call_id,
    cause: row.cause,
    alarmId: row.alarm_id ?? undefined,
    priority: row.alarm_id === null ? undefined : row.priority,
    callGroupId: row.group_id ?? undefined,
    userId: row.user_id,
    user: row.user_name,
    channel: row.channel,
    address: row.address,
    attempt: row.attempt,
    status: Number(row.status),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    rangAt: row.rang_at ?? undefined,
    answeredAt: row.answered_at ?? undefined,
    provider: undefined,
    deliveredAt: row.delivered_at ?? undefined,
    readAt: row.read_at ?? undefined,
    ackAt: row.ack_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
    endedBy: row.ended_by ?? undefined,
    acknowledged: JSON.parse(row.acknowledged),
    detail: row.detail,
  };
}
