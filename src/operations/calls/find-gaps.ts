// What of calling has no future step although it should: found by reading everything that is open, once a minute.

import { sql } from 'kysely';
import { calledInVain } from '../../domain/calls/call.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import type { Instant, Query } from '../../store/store.ts';

/** What is overdue for so long has been forgotten by whoever should have done it. */
const forgottenMs = 60_000;
/** What is older was dealt with by people. */
const recentMs = 3_600_000;
const mostGaps = 200;

export type CallGap =
  /** Nobody has taken up the cause. */
  | { readonly kind: 'cause-waits'; readonly id: number }
  /** The cause is open and its call is over. */
  | { readonly kind: 'cause-without-call'; readonly id: number }
  /** The call has come due and nobody has gone on with it. */
  | { readonly kind: 'call-waits'; readonly id: number }
  /** The call is open, and nothing will ever happen to it. */
  | { readonly kind: 'call-stands'; readonly id: number }
  /** The cycle waits for an attempt that is not there. */
  | { readonly kind: 'attempt-lost'; readonly id: number; readonly callId: number }
  /** The alarm asks for calls, and there is no trace of one. */
  | { readonly kind: 'alarm-without-cause'; readonly id: number };

type Late = { before: Instant; limit: number };

const selectWaitingCauses = statement((db, args: Late) =>
  db
    .selectFrom('call_causes')
    .select('id')
    .where('call_id', 'is', null)
    .where('ended_at', 'is', null)
    .where('due_at', '<', args.before)
    .limit(args.limit),
);

const selectOrphanedCauses = statement((db, args: { limit: number }) =>
  db
    .selectFrom('call_causes')
    .leftJoin('calls', 'calls.id', 'call_causes.call_id')
    .select('call_causes.id')
    .where('call_causes.ended_at', 'is', null)
    .where('call_id', 'is not', null)
    .where((eb) => eb.or([eb('calls.id', 'is', null), eb('calls.ended_at', 'is not', null)]))
    .limit(args.limit),
);

const selectWaitingCalls = statement((db, args: Late) =>
  db.selectFrom('calls').select('id').where('next_due', '<', args.before).limit(args.limit),
);

const selectStandingCalls = sqlStatement<{ limit: number }, { id: number }>(
  (args) => sql`select id from calls where ended_at is null and next_due is null
    and not exists (select 1 from call_cycles where call_cycles.call_id = calls.id
      and call_cycles.round = calls.round and phase = 'attempting') limit ${args.limit}`,
);

/** From the open calls to their cycles: SQLite, left to itself, reads the cycles of all years. */
const selectLostAttempts = sqlStatement<{ limit: number }, { id: number; call_id: number }>(
  (args, kind) => sql`select call_cycles.id, call_cycles.call_id from calls
    ${sql.raw(kind === 'sqlite' ? 'cross join' : 'inner join')} call_cycles on call_cycles.call_id = calls.id and call_cycles.round = calls.round
    where calls.ended_at is null and call_cycles.phase = 'attempting'
      and not exists (select 1 from call_attempts where call_attempts.cycle_id = call_cycles.id
        and state in ('due', 'started')) limit ${args.limit}`,
);

/**
 * Those that are active: what is back to normal may have been masked when it was raised. By what an alarm itself asks for;
 * what a scenario adds is written beside it.
 */
const selectSilentAlarms = sqlStatement<{ since: Instant; limit: number }, { id: number }>(
  (args) => sql`select id from alarms where state = 3 and mask_until is null and raised_at > ${args.since}
    and exists (select 1 from alarm_actions where alarm_id = alarms.id and list = 'alarm')
    and not exists (select 1 from call_causes where call_causes.alarm_id = alarms.id
      and history_id = alarms.occurrence_id) limit ${args.limit}`,
);

/** Everything that is open and forgotten. */
export const findCallGaps: Query<{ now: Instant }, readonly CallGap[]> = {
  name: 'find-call-gaps',
  async run(tx, { now }) {
    const late = { before: now - forgottenMs, limit: mostGaps };
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

const selectLastResort = statement((db) =>
  db
    .selectFrom('calls')
    .select('id')
    .where('target_kind', '=', 'last-resort')
    .where('ended_at', 'is', null)
    .where('phase', '=', 'pausing')
    .where('reason', '=', calledInVain)
    .limit(1),
);

/** Whether not even the last resort could be reached, and is being called in vain. */
export const isLastResortLost: Query<Record<string, never>, boolean> = {
  name: 'is-last-resort-lost',
  isQuick: true,
  run: async (tx) => (await tx.one(selectLastResort, {})) !== undefined,
};
