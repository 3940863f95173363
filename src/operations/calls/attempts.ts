// Statements on attempts: due and leased attempts, their outcomes, and recent attempts per person.

import { sql } from 'kysely';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { idsIn, isOneOfIds, opaqueLimit, sqlStatement, statement, textRows } from '../../store/statement.ts';
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
  kind: 'text',
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
  state: 'text',
  reply_code: 'text',
  provider_id: 'int',
  created_at: 'int',
  ended_at: 'int',
  outcome: 'text',
  tries: 'text',
  is_urgent: 'int',
  is_exempt: 'int',
  reason: 'text',
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
    announced_causes: 'text',
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
    is_final: 'int',
    counts: 'int',
    retry_after_ms: 'int',
    version: 'int',
  }),
};

const workColumns = [
  'id',
  'call_id',
  'kind',
  'user_id',
  'number_id',
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
  'tries',
  'announced',
  'announced_causes',
  'answers',
  'cancel_reason',
  'version',
  'created_at',
  'started_at',
  'lease_by',
  'outcome',
  'acknowledged',
  'provider_id',
  'provider_ref',
  'tried_providers',
] as const;

/** Attempts not started yet, the most urgent first; calls go before notices, as their kinds are in alphabetical order. Leaves out the ids in `hidden`. */
export const selectDueAttempts = statement((db, args: { leastUrgent: number; limit: number; hidden: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(workColumns)
    .where('state', '=', due)
    .where('priority', '<=', args.leastUrgent)
    .where('id', 'not in', idsIn(args.hidden, kind))
    .orderBy('kind')
    .orderBy('priority')
    .orderBy('id')
    .limit(opaqueLimit(args.limit, kind)),
);

/** Started attempts whose lease has expired; their outcome is unknown. Leaves out the ids in `hidden`. */
export const selectLapsedAttempts = statement((db, args: { now: Instant; limit: number; hidden: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(workColumns)
    .where('state', '=', started)
    .where('lease_until', '<=', args.now)
    .where('id', 'not in', idsIn(args.hidden, kind))
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
  db
    .selectFrom('call_attempts')
    .select(workColumns)
    .where(isOneOfIds('id', args.ids, kind)),
);

export const selectAttempt = statement((db, args: { id: number }) =>
  db.selectFrom('call_attempts').select(workColumns).where('id', '=', args.id),
);

/** The attempts among the ids that this node still holds. */
export const selectHeld = statement((db, args: { ids: string; node: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select('id')
    .where(isOneOfIds('id', args.ids, kind))
    .where('lease_by', '=', args.node)
    .where('state', '=', started),
);

/** The attempts among the ids that this node still holds and that are not to be stopped. */
export const selectHeldAndWanted = statement((db, args: { ids: string; node: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select('id')
    .where(isOneOfIds('id', args.ids, kind))
    .where('lease_by', '=', args.node)
    .where('state', '=', started)
    .where('cancel_reason', 'is', null),
);

export const renewAttempts = statement((db, args: { ids: string; until: Instant }, kind) =>
  db
    .updateTable('call_attempts')
    .set({ lease_until: args.until })
    .where(isOneOfIds('id', args.ids, kind)),
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

/** What a person reached by a number of which that is the acknowledgement has heard. */
export const noteReachedAck = statement((db, args: { id: number; now: Instant; answers: string }) =>
  db
    .updateTable('call_attempts')
    .set((eb) => ({ ack_at: eb.fn.coalesce('ack_at', eb.val(args.now)), answers: args.answers }))
    .where('id', '=', args.id),
);

export type NotedAnswer = {
  readonly id: number;
  readonly outcome: string;
  readonly ackAt: Instant | null;
  readonly acknowledged: string;
  readonly answers: string;
  readonly tookAllAt: Instant | null;
};

/** Stores what the person answered to the attempt, and which alarms that acknowledges. */
export const noteAnswer = statement((db, args: NotedAnswer) =>
  db
    .updateTable('call_attempts')
    .set((eb) => ({
      outcome: args.outcome,
      ack_at: eb.fn.coalesce('ack_at', eb.val(args.ackAt)),
      acknowledged: args.acknowledged,
      answers: args.answers,
      took_all_at: eb.fn.coalesce(eb.val(args.tookAllAt), 'took_all_at'),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', args.id),
);

/** The clocks of two nodes may differ, so that the first attempt for a cause may seem to be older than the cause. */
export const clocksApartMs = 60_000;

/**
 * When the oldest open cause began: no older attempt can be answered, so that the history of a person, who may have been called
 * for years, is not read.
 */
const oldestOpen = sql<Instant>`(select min(created_at) - ${sql.lit(clocksApartMs)} from ${table('call_causes')}
  where ended_at is null)`;

/** The newest texts that a person may be replying to: sent since the oldest cause began that is open, also in vain. */
export const selectSentTexts = statement((db, args: { userId: number; channel: string }) =>
  db
    .selectFrom('call_attempts')
    .select(['id', 'reply_code', 'announced', 'announced_causes'])
    .where('user_id', '=', args.userId)
    .where('created_at', '>=', oldestOpen)
    .where('channel', '=', args.channel)
    .where('state', 'in', ['started', 'reached'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200),
);

/** The newest text to a person since `since` that asks for an answer, whatever became of its call. */
export const selectNewestText = statement((db, args: { userId: number; channel: string; since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select(['id', 'announced', 'announced_causes'])
    .where('user_id', '=', args.userId)
    .where('created_at', '>=', args.since)
    .where('channel', '=', args.channel)
    .where('reply_code', '<>', '')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
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
