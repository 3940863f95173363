// Wakes the calls that wait for somebody on duty, when a change may have given somebody the duty.

import { statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';

/** To be called in the transaction of every change of people, teams, groups and schedules. */
export async function wakeWaitingCalls(tx: Tx, now: Instant): Promise<void> {
  await tx.run(wake, { now });
}

const wake = statement((db, args: { now: Instant }) =>
  db
    .updateTable('calls')
    .set({ due_at: args.now, next_due: args.now })
    .where('ended_at', 'is', null)
    .where('phase', '=', 'waiting'),
);
