// Marks of rows: short texts that differ whenever something has changed that decisions are made on.

import { type RawBuilder, sql } from 'kysely';
import { sqlStatement } from '../../../../store/statement.ts';
import { table } from '../../../../store/statement-tables.ts';
import type { Instant } from '../../../../store/store.ts';

export type Mark = { readonly id: number; readonly mark: string };
export type CauseMark = { readonly id: number; readonly cause_id: number | null; readonly mark: number };

const markOfAttempt = sql.raw(
  [
    ...['version', 'state', 'counts', 'is_final', 'length(answers)'],
    ...['outcome', 'provider_id', 'accepted_at', 'rang_at', 'answered_at', 'ended_at', 'cancel_reason'].map(orNone),
  ].join(` || ' ' || `),
);

function orNone(column: string): string {
  return `coalesce(cast(${column} as text), '')`;
}

/** Of the open escalations: every change of one counts its version on, or ends its cause. Those that a fault set aside wait. */
export const selectOpenMarks = sqlStatement<{ now: Instant }, CauseMark>(
  ({ now }) => sql`select id, cause_id, version * 4 + case when ended_at is null then 2 else 0 end
      + case when attempts_from is null then 1 else 0 end as mark
    from ${table('call_causes')} where state = 'open' and (retry_at is null or retry_at <= ${now})`,
);

export const selectUnderWayMarks = ofAttempts<Record<string, never>>(
  () => sql`number_id is not null and state in ('due', 'started')`,
);

/** Those that began since `since`. */
export const selectAttemptMarksSince = ofAttempts<{ since: Instant }>(
  ({ since }) => sql`(number_id is not null or cause = 'ringIn') and created_at >= ${since}`,
);

function ofAttempts<A extends Record<string, number>>(which: (args: A) => RawBuilder<unknown>) {
  return sqlStatement<A, Mark>(
    (args) => sql`select id, ${markOfAttempt} as mark from ${table('call_attempts')} where ${which(args)}`,
  );
}
