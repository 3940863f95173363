// When a notice to a number may be sent: at once, or a minute after the last one to it.

import { gatherMs } from '../../../domain/calls/notice-cycle.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { readRecordClock } from '../../system/reference-time.ts';

/** Later causes that are due by then are sent in the same message. */
export async function noticeDue(tx: ReadTx, now: Instant, userId: number, numberId: number): Promise<Instant> {
  const clock = await readRecordClock(tx);
  const last = await tx.one(selectLast, { userId, numberId, since: clock.windowStart(now, gatherMs) });
  return last === undefined ? now : Math.max(now, clock.timeNow(last.created_at) + gatherMs);
}

const selectLast = statement((db, args: { userId: number; numberId: number; since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select('created_at')
    .where('user_id', '=', args.userId)
    .where('created_at', '>', args.since)
    .where('number_id', '=', args.numberId)
    .where('cause', 'in', ['followUp', 'handOver'])
    .orderBy('created_at', 'desc')
    .limit(1),
);
