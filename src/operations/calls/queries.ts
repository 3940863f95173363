// Queries and statements on causes of calls that several operations need, and what is due.

import { isOneOfIds, statement } from '../../store/statement.ts';
import type { Instant, Query } from '../../store/store.ts';
import { anyDueAttempt, anyLapsedAttempt } from './attempts.ts';

/** The open escalations of these alarms; without follow-ups, which nothing ends. */
export const selectOpenCausesOf = statement((db, args: { alarmIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'cause_id', 'alarm_id', 'history_id', 'call_id', 'list', 'priority', 'is_transitory', 'due_at'])
    .select([
      'target_kind',
      'target_id',
      'state',
      'round',
      'version',
      'entered',
      'picked',
      'paused_until',
      'rounds_in_vain',
      'trouble',
      'retry_at',
    ])
    .where(isOneOfIds('alarm_id', args.alarmIds, kind))
    .where('kind', '=', 'alarm')
    .where('ended_at', 'is', null)
    .orderBy('id'),
);

/** Returns whether attempts are to be begun or taken over; costs a few seeks. */
export const hasDueAttempts: Query<{ now: Instant }, boolean> = {
  name: 'has-due-attempts',
  isQuick: true,
  async run(tx, { now }) {
    const found = (await tx.one(anyDueAttempt, {})) ?? (await tx.one(anyLapsedAttempt, { now }));
    return found !== undefined;
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
