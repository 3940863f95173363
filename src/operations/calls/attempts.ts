// Statements on attempts: due and leased attempts, their outcomes, and recent attempts per person.

import { type SqlBool, sql } from 'kysely';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import {
  type DatabaseKind,
  idsIn,
  isOneOfIds,
  opaqueLimit,
  sqlStatement,
  statement,
  textRows,
} from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant } from '../../store/store.ts';

const id = { id: 'int' } as const;

/** Literals, so that the partial indexes on these states are used. */
const due = sql.lit('due');
const started = sql.lit('started');

/** The columns of an attempt that is written as a whole. */
export const attemptColumns = {
  ...id,
  call_id: 'int',
  cycle_id: 'int',
  user_id: 'int',
  user_name: 'text',
  group_id: 'int',
  station_id: 'int',
  cause: 'text',
  alarm_id: 'int',
  priority: 'int',
  number_id: 'int',
  channel: 'text',
  address: 'text',
  attempt: 'int',
  is_notice: 'int',
  state: 'text',
  reply_code: 'text',
  created_at: 'int',
  ended_at: 'int',
  outcome: 'text',
  detail: 'text',
  words: 'text',
  address_words: 'text',
} as const;

export const attemptRows = {
  insert: insertRows('call_attempts', attemptColumns),
  start: updateRows('call_attempts', id, {
    state: 'text',
    started_at: 'int',
    lease_by: 'text',
    lease_until: 'int',
    reply_code: 'text',
    announced: 'text',
    provider_id: 'int',
  }),
  end: updateRows('call_attempts', id, {
    state: 'text',
    outcome: 'text',
    ended_by: 'text',
    failure: 'text',
    detail: 'text',
    words: 'text',
    ended_at: 'int',
    lease_until: 'int',
  }),
};

const workColumns = [
  'id',
  'call_id',
  'cycle_id',
  'user_id',
  'group_id',
  'station_id',
  'cause',
  'alarm_id',
  'priority',
  'channel',
  'address',
  'attempt',
  'state',
  'reply_code',
  'announced',
  'started_at',
  'lease_by',
  'outcome',
  'acknowledged',
  'provider_id',
  'provider_ref',
  'tried_providers',
] as const;

/** No priority is as great. */
const unlimited = sql.lit(2_147_483_647);

/** From which priority attempts to the number of the row wait; null: none does. */
function waitsFrom(full: string, kind: DatabaseKind) {
  const list =
    kind === 'sqlite' ? sql`json_each(${full}) as list` : sql`jsonb_array_elements(${full}::jsonb) as list(value)`;
  const prefix = sql`(list.value ->> 1)`;
  return sql<number>`(select cast(list.value ->> 2 as integer) from ${list}
    where list.value ->> 0 = channel and substr(address, 1, length(${prefix})) = ${prefix} order by length(${prefix}) desc limit 1)`;
}

/**
 * Attempts not started yet, the most urgent first; calls go before notices. Leaves out the ids in `hidden`, and the numbers in
 * `full`: lists of a channel, a prefix and the priority from which attempts wait, of which the longest prefix counts.
 */
export const selectDueAttempts = statement(
  (db, args: { leastUrgent: number; limit: number; full: string; hidden: string }, kind) =>
    db
      .selectFrom('call_attempts')
      .select(workColumns)
      .where('state', '=', due)
      .where('priority', '<=', args.leastUrgent)
      .where(sql<SqlBool>`priority < coalesce(${waitsFrom(args.full, kind)}, ${unlimited})`)
      .where('id', 'not in', idsIn(args.hidden, kind))
      .orderBy('is_notice')
      .orderBy('priority')
      .orderBy('id')
      .limit(opaqueLimit(args.limit, kind)),
);

/** Started attempts whose lease has expired, with the phase of their cycle; their outcome is unknown. */
export const selectLapsedAttempts = statement((db, args: { now: Instant; limit: number }) =>
  db
    .selectFrom('call_attempts')
    .leftJoin('call_cycles', 'call_cycles.id', 'cycle_id')
    .select(workColumns.map((column) => `call_attempts.${column}` as const))
    .select('call_cycles.phase')
    .where('call_attempts.state', '=', started)
    .where('lease_until', '<=', args.now)
    .orderBy('lease_until')
    .limit(args.limit),
);

export const anyDueAttempt = statement((db) =>
  db.selectFrom('call_attempts').select('id').where('state', '=', due).limit(1),
);

export const anyLapsedAttempt = statement((db, args: { now: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select('id')
    .where('state', '=', started)
    .where('lease_until', '<=', args.now)
    .limit(1),
);

export const selectAttempts = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('call_attempts').select(workColumns).where('id', 'in', idsIn(args.ids, kind)),
);

export const selectAttempt = statement((db, args: { id: number }) =>
  db.selectFrom('call_attempts').select(workColumns).where('id', '=', args.id),
);

/** The attempts among the ids that this node still holds. */
export const selectHeld = statement((db, args: { ids: string; node: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select('id')
    .where('id', 'in', idsIn(args.ids, kind))
    .where('lease_by', '=', args.node)
    .where('state', '=', started),
);

/** The attempts among the ids that this node still holds and whose cycle still waits for them. */
export const selectHeldAndWanted = statement((db, args: { ids: string; node: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .innerJoin('call_cycles', 'call_cycles.id', 'cycle_id')
    .select('call_attempts.id')
    .where('call_attempts.id', 'in', idsIn(args.ids, kind))
    .where('lease_by', '=', args.node)
    .where('call_attempts.state', '=', started)
    .where('call_cycles.phase', '=', 'attempting'),
);

export const renewAttempts = statement((db, args: { ids: string; until: Instant }, kind) =>
  db.updateTable('call_attempts').set({ lease_until: args.until }).where('id', 'in', idsIn(args.ids, kind)),
);

export const lapseAttempts = statement((db, args: { now: Instant; nodes: string }) =>
  db
    .updateTable('call_attempts')
    .set({ lease_until: args.now })
    .where('state', '=', started)
    .where('lease_by', 'like', args.nodes),
);

export const noteRang = statement((db, args: { id: number; now: Instant }) =>
  db.updateTable('call_attempts').set({ rang_at: args.now }).where('id', '=', args.id).where('rang_at', 'is', null),
);

export const notePickedUp = statement((db, args: { id: number; now: Instant }) =>
  db
    .updateTable('call_attempts')
    .set({ answered_at: args.now })
    .where('id', '=', args.id)
    .where('answered_at', 'is', null),
);

/** Stores what the person answered to the attempt, and which alarms that acknowledges. */
export const noteAnswer = statement(
  (db, args: { id: number; outcome: string; ackAt: Instant | null; acknowledged: string }) =>
    db
      .updateTable('call_attempts')
      .set((eb) => ({
        outcome: args.outcome,
        ack_at: eb.fn.coalesce('ack_at', eb.val(args.ackAt)),
        acknowledged: args.acknowledged,
      }))
      .where('id', '=', args.id),
);

/** Why the cycles and calls of these attempts ended. */
export const selectEndings = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .innerJoin('call_cycles', 'call_cycles.id', 'call_attempts.cycle_id')
    .innerJoin('calls', 'calls.id', 'call_attempts.call_id')
    .select(['call_attempts.id', 'call_cycles.reason', 'calls.ended_by'])
    .where('call_attempts.id', 'in', idsIn(args.ids, kind)),
);

export const noteAcknowledged = statement((db, args: { cycleIds: string; now: Instant }, kind) =>
  db
    .updateTable('call_attempts')
    .set({ ack_at: args.now })
    .where(isOneOfIds(sql.ref('cycle_id'), args.cycleIds, kind))
    .where('state', 'in', ['started', 'reached'])
    .where('ack_at', 'is', null),
);

type CancelledAttempts = {
  readonly cycleIds: string;
  readonly now: Instant;
  readonly detail: string;
  readonly endedBy: string;
};

/** Cancels attempts of these cycles that are not started yet. */
export const cancelDueAttempts = statement((db, args: CancelledAttempts, kind) =>
  db
    .updateTable('call_attempts')
    .set({
      state: 'cancelled',
      outcome: 'cancelled',
      ended_by: args.endedBy,
      ended_at: args.now,
      detail: args.detail,
    })
    .where(isOneOfIds(sql.ref('cycle_id'), args.cycleIds, kind))
    .where('state', '=', due),
);

/** Attempts for these people since `since`, oldest first. */
export const selectRecentAttempts = statement((db, args: { userIds: string; since: Instant }, kind) =>
  db
    .selectFrom('call_attempts')
    .select([
      'call_id',
      'user_id',
      'is_notice',
      'created_at',
      'number_id',
      'failure',
      'ended_at',
      'state',
      'channel',
      'address',
    ])
    .where('user_id', 'in', idsIn(args.userIds, kind))
    .where('created_at', '>', args.since)
    .where('number_id', 'is not', null)
    .orderBy('created_at'),
);

/** The clocks of two nodes may differ, so that the first attempt of a call may seem to be older than the call. */
const clocksApartMs = 60_000;

/**
 * When the oldest open call began: no attempt before is open, so that the history of a person, who may have been called for
 * years, is not read.
 */
const oldestOpen = sql<Instant>`(select min(started_at) - ${sql.lit(clocksApartMs)} from ${table('calls')}
  where ended_at is null)`;

/** The texts a person may be replying to: sent, and their call has not ended. */
export const selectOpenTexts = statement((db, args: { userId: number; channel: string }) =>
  db
    .selectFrom('call_attempts')
    .innerJoin('calls', 'calls.id', 'call_attempts.call_id')
    .select(['call_attempts.id', 'call_attempts.call_id', 'call_attempts.reply_code', 'call_attempts.announced'])
    .where('call_attempts.user_id', '=', args.userId)
    .where('call_attempts.created_at', '>=', oldestOpen)
    .where('call_attempts.channel', '=', args.channel)
    .where('call_attempts.state', 'in', ['started', 'reached'])
    .where('calls.ended_at', 'is', null)
    .orderBy('call_attempts.id', 'desc')
    .limit(50),
);

type TextByCode = {
  readonly userId: number;
  readonly channel: string;
  readonly codes: string;
  readonly since: Instant;
};

/** The newest text to a person since `since` with one of the codes, whatever became of its call. */
export const selectTextByCode = sqlStatement<TextByCode, { id: number; reply_code: string }>(
  (args, kind) => sql`select id, reply_code from ${table('call_attempts')}
    where user_id = ${args.userId} and created_at >= ${args.since} and channel = ${args.channel}
      and reply_code in (select value from ${textRows(args.codes, kind)}) order by created_at desc, id desc limit 1`,
);
