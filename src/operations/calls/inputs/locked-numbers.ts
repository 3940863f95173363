// The numbers that are locked because a wrong PIN was entered three times.

import { sql } from 'kysely';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { readRecordClock } from '../../system/reference-time.ts';

/** How long a number is locked. */
export const lockMs = 900_000;

export async function lockedNumbers(tx: ReadTx, now: Instant): Promise<ReadonlySet<number>> {
  return new Set((await lockEnds(tx, now)).keys());
}

/** Returns by id of each locked number until when it is locked. */
export async function lockEnds(tx: ReadTx, now: Instant): Promise<ReadonlyMap<number, Instant>> {
  const clock = await readRecordClock(tx);
  const rows = await tx.all(selectLocked, { since: clock.windowStart(now, lockMs) });
  return new Map(rows.map(({ number_id, ended_at }) => [number_id ?? 0, clock.timeNow(ended_at ?? 0) + lockMs]));
}

const selectLocked = statement((db, args: { since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select(['number_id', 'ended_at'])
    .where('failure', '=', sql.lit('wrong-pin'))
    .where('ended_at', '>', args.since)
    .orderBy('ended_at'),
);
