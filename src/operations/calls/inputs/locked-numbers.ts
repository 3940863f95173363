// The numbers that are locked because a wrong PIN was entered three times.

import { sql } from 'kysely';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';

/** How long a number is locked. */
export const lockMs = 900_000;

export async function lockedNumbers(tx: ReadTx, now: Instant): Promise<ReadonlySet<number>> {
  const rows = await tx.all(selectLocked, { since: now - lockMs });
  return new Set(rows.flatMap(({ number_id }) => number_id ?? []));
}

const selectLocked = statement((db, args: { since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select('number_id')
    .where('failure', '=', sql.lit('wrong-pin'))
    .where('ended_at', '>', args.since),
);
