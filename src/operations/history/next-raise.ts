// When an alarm was raised the next time after an occurrence, as SQL: the occurrence ends there, if it has not ended before.

import { sql } from 'kysely';
import { table } from '../../store/statement-tables.ts';

/** Of the row `occurrence`; null of the newest. */
export const nextRaise = sql<number | null>`(select min(later.raised_at) from ${table('alarm_histories')} as later
  where later.series_id in (select id from ${table('history_series')} where alarm_id = occurrence.alarm_id)
    and later.raised_at >= occurrence.raised_at and later.id > occurrence.id)`;
