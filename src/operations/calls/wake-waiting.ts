// Wakes the calls that wait for somebody on duty, when a change may have given somebody the duty, and those that wait for a
// channel, when it may work again.

import { statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { selectCallsHeldByChannel, wakeCalls, wakeCyclesHeldByChannel } from './queries.ts';

/** To be called in the transaction of every change of people, teams, groups and schedules. */
export async function wakeWaitingCalls(tx: Tx, now: Instant): Promise<void> {
  await tx.run(wake, { now });
}

/** To be called when a provider works again, or is set up or switched on. */
export async function wakeHeldByChannel(tx: Tx, now: Instant): Promise<void> {
  const held = (await tx.all(selectCallsHeldByChannel, {})).map(({ call_id }) => call_id);
  if (held.length === 0) return;
  await tx.run(wakeCyclesHeldByChannel, { now });
  await tx.run(wakeCalls, { ids: JSON.stringify(held), now });
}

const wake = statement((db, args: { now: Instant }) =>
  db
    .updateTable('calls')
    .set({ due_at: args.now, next_due: args.now })
    .where('ended_at', 'is', null)
    .where('phase', '=', 'waiting'),
);
