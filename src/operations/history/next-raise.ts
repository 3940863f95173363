// When an alarm was raised the next time after an occurrence, as SQL: the occurrence ends there, if it has not ended before.

import { sql } from 'kysely';
import { table } from '../../store/statement-tables.ts';

/** Of the row `occurrence`; null of the newest. Of each series the first one later is looked up, and not all of them. */
export const nextRaise = sql<
  number | null
>`(select min((select later.raised_at from ${table('alarm_histories')} as later
    where later.series_id = series.id and later.raised_at >= occurrence.raised_at and later.id > occurrence.id
    order by later.raised_at limit 1))
  from ${table('history_series')} as series where series.alarm_id = occurrence.alarm_id)`;
