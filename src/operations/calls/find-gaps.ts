// Finds gaps: open causes, calls, cycles and alarms that should have a next step but have none.

import { sql } from 'kysely';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query } from '../../store/store.ts';

/** Work overdue for this long was missed by the dispatcher. */
const overdueMs = 60_000;
/** Older alarms are left to people. */
const recentMs = 3_600_000;
const mostGaps = 200;

export type CallGap =
  /** The cause is due and not attached to a call. */
  | { readonly kind: 'cause-waits'; readonly id: number }
  /** The cause is open and its call has ended. */
  | { readonly kind: 'cause-without-call'; readonly id: number }
  /** The call is overdue. */
  | { readonly kind: 'call-waits'; readonly id: number }
  /** The call is open, has no due time and waits for no attempt. */
  | { readonly kind: 'call-stands'; readonly id: number }
  /** The cycle waits for an attempt that does not exist. */
  | { readonly kind: 'attempt-lost'; readonly id: number; readonly callId: number }
  /** The alarm has actions that call, but its occurrence has no cause. */
  | { readonly kind: 'alarm-without-cause'; readonly id: number };

type Late = { before: Instant; limit: number };

const selectWaitingCauses = statement((db, args: Late) =>
  db
    .selectFrom('call_causes')
    .select('id')
    .where('call_id', 'is', null)
    .where('ended_at', 'is', null)
    .where('due_at', '<', args.before)
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<', args.before)]))
    .limit(args.limit),
);

/** In the order of the index of open causes, or SQLite reads all causes that ever had a call. */
const selectOrphanedCauses = statement((db, args: { limit: number }) =>
  db
    .selectFrom('call_causes')
    .leftJoin('calls', 'calls.id', 'call_causes.call_id')
    .select('call_causes.id')
    .where('call_causes.ended_at', 'is', null)
    .where('call_id', 'is not', null)
    .where((eb) => eb.or([eb('calls.id', 'is', null), eb('calls.ended_at', 'is not', null)]))
    .orderBy('call_causes.call_id')
    .orderBy('call_causes.priority')
    .orderBy('call_causes.id')
    .limit(args.limit),
);

const selectWaitingCalls = statement((db, args: Late) =>
  db
    .selectFrom('calls')
    .select('id')
    .where('ended_at', 'is', null)
    .where('next_due', '<', args.before)
    .limit(args.limit),
);

const selectStandingCalls = sqlStatement<{ limit: number }, { id: number }>(
  (args) => sql`select id from ${table('calls')} where ended_at is null and next_due is null
    and not exists (select 1 from ${table('call_cycles')} where call_cycles.call_id = calls.id
      and call_cycles.round = calls.round and phase = 'attempting') limit ${args.limit}`,
);

/** The cross join makes SQLite start from the open calls; its planner would scan all stored cycles. */
const selectLostAttempts = sqlStatement<{ limit: number }, { id: number; call_id: number }>(
  (args, kind) => sql`select call_cycles.id, call_cycles.call_id from ${table('calls')}
    ${sql.raw(kind === 'sqlite' ? 'cross join' : 'inner join')} ${table('call_cycles')} on call_cycles.call_id = calls.id and call_cycles.round = calls.round
    where calls.ended_at is null and call_cycles.phase = 'attempting'
      and not exists (select 1 from ${table('call_attempts')} where call_attempts.cycle_id = call_cycles.id
        and state in ('due', 'started')) limit ${args.limit}`,
);

/**
 * Only active alarms: one that is back to normal may have been masked when it was raised. Only the actions of the alarm
 * itself: causes of scenarios are written in the same transaction as these.
 */
const selectSilentAlarms = sqlStatement<{ since: Instant; limit: number }, { id: number }>(
  (args) => sql`select id from ${table('alarms')} where state = 3 and mask_until is null and raised_at > ${args.since}
    and exists (select 1 from ${table('alarm_actions')} where alarm_id = alarms.id and list = 'alarm')
    and not exists (select 1 from ${table('call_causes')} where call_causes.alarm_id = alarms.id
      and history_id = alarms.occurrence_id) limit ${args.limit}`,
);

export const findCallGaps: Query<{ now: Instant }, readonly CallGap[]> = {
  name: 'find-call-gaps',
  async run(tx, { now }) {
    const late = { before: now - overdueMs, limit: mostGaps };
    const named = <K extends CallGap['kind']>(kind: K, rows: readonly { readonly id: number }[]) =>
      rows.map(({ id }) => ({ kind, id }));
    return [
      ...named('cause-waits', await tx.all(selectWaitingCauses, late)),
      ...named('cause-without-call', await tx.all(selectOrphanedCauses, late)),
      ...named('call-waits', await tx.all(selectWaitingCalls, late)),
      ...named('call-stands', await tx.all(selectStandingCalls, late)),
      ...(await tx.all(selectLostAttempts, late)).map(({ id, call_id }) => ({
        kind: 'attempt-lost' as const,
        id,
        callId: call_id,
      })),
      ...named('alarm-without-cause', await tx.all(selectSilentAlarms, { ...late, since: now - recentMs })),
    ];
  },
};
