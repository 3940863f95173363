// Queries and statements on calls, cycles and causes.

import { sql } from 'kysely';
import type { Call, CallTarget } from '../../domain/calls/call.ts';
import { idsIn, opaqueLimit, sqlStatement, statement, textRows } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query, ReadTx, Tx } from '../../store/store.ts';
import { anyDueAttempt, anyLapsedAttempt } from './attempts.ts';
import { type CallRow, callColumns, callOf, cycleColumns } from './call-rows.ts';

export type CallRecord = { readonly id: number; readonly call: Call; readonly startedAt: Instant };

const selectCalls = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('calls').select(callColumns).where('id', 'in', idsIn(args.ids, kind)),
);

/** In an order for which SQLite takes the index of open calls, and not the one of all calls to the target. */
const selectOpenTo = statement((db, args: { kind: CallTarget['kind']; ids: string }, kind) =>
  db
    .selectFrom('calls')
    .select(callColumns)
    .where('target_kind', '=', args.kind)
    .where('target_id', 'in', idsIn(args.ids, kind))
    .where('ended_at', 'is', null)
    .orderBy('target_id'),
);

const selectCycles = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_cycles')
    .innerJoin('calls', (join) =>
      join.onRef('calls.id', '=', 'call_cycles.call_id').onRef('calls.round', '=', 'call_cycles.round'),
    )
    .select(cycleColumns.map((name) => `call_cycles.${name}` as const))
    .where('call_cycles.call_id', 'in', idsIn(args.ids, kind))
    .orderBy('call_cycles.id'),
);

export async function findCalls(tx: ReadTx, ids: readonly number[]): Promise<readonly CallRecord[]> {
  return ids.length === 0 ? [] : withCycles(tx, await tx.all(selectCalls, { ids: JSON.stringify(ids) }));
}

/** Returns the open calls to these targets. */
export async function findOpenCalls(tx: ReadTx, targets: readonly CallTarget[]): Promise<readonly CallRecord[]> {
  const kinds = Map.groupBy(targets, ({ kind }) => kind);
  const rows: CallRow[] = [];
  for (const [kind, sameKind] of kinds)
    rows.push(...(await tx.all(selectOpenTo, { kind, ids: JSON.stringify(sameKind.map((target) => target.id)) })));
  return withCycles(tx, rows);
}

async function withCycles(tx: ReadTx, rows: readonly CallRow[]): Promise<readonly CallRecord[]> {
  if (rows.length === 0) return [];
  const cycles = await tx.all(selectCycles, { ids: JSON.stringify(rows.map((row) => row.id)) });
  const byCall = Map.groupBy(cycles, ({ call_id }) => call_id);
  return rows.map((row) => ({
    id: row.id,
    call: callOf(row, byCall.get(row.id) ?? []),
    startedAt: row.started_at,
  }));
}

export type CallUrgency = {
  call_id: number;
  /** Null if no cause is open. */
  priority: number | null;
  kind: string | null;
  alarm_id: number | null;
  station_id: number | null;
  is_asking: number;
  is_until_acknowledged: number;
};

/**
 * Returns the most urgent open cause of each call, and whether a cause can or must be acknowledged. Uses seeks instead
 * of counts: in a flood a call has thousands of causes. Only causes of the list `alarm` can be acknowledged; a return
 * to normal or an acknowledgement is only announced.
 */
export const selectUrgency = sqlStatement<{ callIds: string; untilAcknowledged: string }, CallUrgency>((args, kind) => {
  const open = sql`from ${table('call_causes')} where call_id = asked.id and ended_at is null`;
  const id = kind === 'sqlite' ? sql`value` : sql`value::bigint`;
  return sql`select asked.id as call_id, first.priority, first.kind, first.alarm_id, first.station_id,
    case when exists (select 1 ${open} and kind = 'alarm' and list = 'alarm') then 1 else 0 end as is_asking,
    case when exists (select 1 ${open} and kind = 'alarm' and list = 'alarm'
      and priority in ${idsIn(args.untilAcknowledged, kind)}) then 1 else 0 end as is_until_acknowledged
    from (select ${id} as id from ${textRows(args.callIds, kind)}) as asked
    left join ${table('call_causes')} as first on first.id = (select id ${open} order by priority, id limit 1)`;
});

export type OpenCause = {
  call_id: number;
  id: number;
  kind: string;
  list: string;
  alarm_id: number | null;
  station_id: number;
  priority: number;
  is_transitory: number;
  target_kind: string;
  text: string;
  short_text: string;
  total: number;
  newest: number;
};

const selectOpenCauses = sqlStatement<{ callIds: string; limit: number }, OpenCause>(
  (args, kind) => sql`select call_id, id, kind, list, alarm_id, station_id, priority, is_transitory, target_kind, text,
      short_text, total, newest from (
      select call_id, id, kind, list, alarm_id, station_id, priority, is_transitory, target_kind, text, short_text,
        row_number() over (partition by call_id order by priority, id) as place,
        count(*) over (partition by call_id) as total, max(id) over (partition by call_id) as newest
      from ${table('call_causes')} where call_id in ${idsIn(args.callIds, kind)} and ended_at is null) as ranked
    where place <= ${args.limit} order by call_id, priority, id`,
);

/** The open causes of a call: the most urgent ones, the count of all, and the newest id. */
export type OpenCausesOf = {
  readonly causes: readonly OpenCause[];
  readonly total: number;
  readonly newest: number;
};

/** Returns the open causes by call id, at most `limit` of each call. */
export async function openCausesOf(
  tx: ReadTx,
  callIds: readonly number[],
  limit: number,
): Promise<ReadonlyMap<number, OpenCausesOf>> {
  const rows = await tx.all(selectOpenCauses, { callIds: JSON.stringify([...new Set(callIds)]), limit });
  const byCall = Map.groupBy(rows, ({ call_id }) => call_id);
  return new Map(
    [...byCall].map(([id, causes]) => [
      id,
      { causes, total: Number(causes[0]?.total ?? 0), newest: Number(causes[0]?.newest ?? 0) },
    ]),
  );
}

/** Due causes that are not attached to a call yet. */
export const selectDueCauses = statement((db, args: { now: Instant; limit: number }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'list', 'target_kind', 'target_id', 'alarm_id', 'history_id', 'origin'])
    .where('call_id', 'is', null)
    .where('ended_at', 'is', null)
    .where('due_at', '<=', args.now)
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', args.now)]))
    .orderBy('due_at')
    .limit(opaqueLimit(args.limit, kind)),
);

export const selectDueCalls = statement((db, args: { now: Instant; limit: number }, kind) =>
  db
    .selectFrom('calls')
    .select('id')
    .where('ended_at', 'is', null)
    .where('next_due', '<=', args.now)
    .orderBy('next_due')
    .limit(opaqueLimit(args.limit, kind)),
);

/** Open causes of these alarms, attached to a call or not; without follow-ups, which nothing ends. */
export const selectOpenCausesOf = statement((db, args: { alarmIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'alarm_id', 'history_id', 'call_id', 'list', 'priority', 'most_urgent', 'is_transitory', 'due_at'])
    .select(['target_kind', 'target_id'])
    .where('alarm_id', 'in', idsIn(args.alarmIds, kind))
    .where('kind', '=', 'alarm')
    .where('ended_at', 'is', null),
);

/** Ends the open causes of ended calls. */
export const endCausesOfCalls = statement((db, args: { callIds: string; now: Instant; reason: string }, kind) =>
  db
    .updateTable('call_causes')
    .set({ ended_at: args.now, ended_by: 'call', end_reason: args.reason })
    .where('call_id', 'in', idsIn(args.callIds, kind))
    .where('ended_at', 'is', null),
);

/** Pairs of calls that have an open cause for the same alarm. */
export const selectCallsSharing = sqlStatement<
  { callIds: string; others: string },
  { call_id: number; other_id: number }
>(
  (args, kind) => sql`select distinct own.call_id, other.call_id as other_id from ${table('call_causes')} as own
    inner join ${table('call_causes')} as other on other.alarm_id = own.alarm_id
    where own.call_id in ${idsIn(args.callIds, kind)} and own.ended_at is null and own.alarm_id is not null
      and other.call_id in ${idsIn(args.others, kind)} and other.ended_at is null and other.call_id <> own.call_id`,
);

const held = sql.lit('held' as const);

/** Calls in which a cycle of these people is held for a telephone line. */
export const selectCallsHeldByLine = statement((db, args: { userIds: string }, kind) =>
  db
    .selectFrom('call_cycles')
    .select('call_id')
    .distinct()
    .where('phase', '=', held)
    .where('user_id', 'in', idsIn(args.userIds, kind))
    .where('hold', '=', 'line')
    .orderBy('call_id'),
);

export const wakeCyclesHeldByLine = statement((db, args: { userIds: string; now: Instant }, kind) =>
  db
    .updateTable('call_cycles')
    .set({ due_at: args.now })
    .where('phase', '=', held)
    .where('user_id', 'in', idsIn(args.userIds, kind))
    .where('hold', '=', 'line'),
);

export const selectCallsHeldByChannel = statement((db) =>
  db.selectFrom('call_cycles').select('call_id').distinct().where('phase', '=', held).where('hold', '=', 'channel'),
);

export const wakeCyclesHeldByChannel = statement((db, args: { now: Instant }) =>
  db.updateTable('call_cycles').set({ due_at: args.now }).where('phase', '=', held).where('hold', '=', 'channel'),
);

export const wakeCalls = statement((db, args: { ids: string; now: Instant }, kind) =>
  db
    .updateTable('calls')
    .set({ next_due: args.now })
    .where('id', 'in', idsIn(args.ids, kind))
    .where('ended_at', 'is', null),
);

export const selectLastInTurn = statement((db, args: { groupIds: string }, kind) =>
  db.selectFrom('call_turns').select(['group_id', 'user_id']).where('group_id', 'in', idsIn(args.groupIds, kind)),
);

const updateLastInTurn = statement((db, args: { groupId: number; userId: number }) =>
  db.updateTable('call_turns').set({ user_id: args.userId }).where('group_id', '=', args.groupId),
);

const insertLastInTurn = statement((db, args: { groupId: number; userId: number }) =>
  db.insertInto('call_turns').values({ group_id: args.groupId, user_id: args.userId }),
);

/** Stores the person of a group who was called last. */
export async function storeLastInTurn(tx: Tx, groupId: number, userId: number): Promise<void> {
  if ((await tx.run(updateLastInTurn, { groupId, userId })) === 0) await tx.run(insertLastInTurn, { groupId, userId });
}

const firstCause = statement((db, args: { now: Instant }) =>
  db
    .selectFrom('call_causes')
    .select('due_at')
    .where('call_id', 'is', null)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', args.now)]))
    .orderBy('due_at')
    .limit(1),
);

const firstCall = statement((db) =>
  db
    .selectFrom('calls')
    .select('next_due')
    .where('ended_at', 'is', null)
    .where('next_due', 'is not', null)
    .orderBy('next_due')
    .limit(1),
);

type DueWork = {
  readonly causes: boolean;
  readonly calls: boolean;
  readonly attempts: boolean;
  /** The earliest due time of causes and calls, which may be in the past. */
  readonly next: Instant | undefined;
};

/** Returns which kinds of work are due; costs a few seeks. */
export const findDueWork: Query<{ now: Instant }, DueWork> = {
  name: 'find-due-work',
  isQuick: true,
  async run(tx, { now }) {
    const cause = (await tx.one(firstCause, { now }))?.due_at ?? Number.POSITIVE_INFINITY;
    const call = (await tx.one(firstCall, {}))?.next_due ?? Number.POSITIVE_INFINITY;
    const attempt = (await tx.one(anyDueAttempt, {})) ?? (await tx.one(anyLapsedAttempt, { now }));
    const next = Math.min(cause, call);
    return {
      causes: cause <= now,
      calls: call <= now,
      attempts: attempt !== undefined,
      next: Number.isFinite(next) ? next : undefined,
    };
  },
};

const selectMessageCauses = statement((db, args: { messageId: number }) =>
  db.selectFrom('call_causes').select(['ended_at', 'ended_by']).where('message_id', '=', args.messageId),
);

type MessageOutcome = 'under-way' | 'acknowledged' | 'failed';

/** Returns `acknowledged` when all people have heard the message, `failed` when a cause ended without that. */
export const getMessageOutcome: Query<{ messageId: number }, MessageOutcome> = {
  name: 'get-message-outcome',
  async run(tx, args) {
    const causes = await tx.all(selectMessageCauses, args);
    if (causes.every(({ ended_by }) => ended_by === 'heard')) return 'acknowledged';
    const isFailed = causes.some(({ ended_at, ended_by }) => ended_at !== null && ended_by !== 'heard');
    return isFailed ? 'failed' : 'under-way';
  },
};
