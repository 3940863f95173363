// How rows that are set aside are told from others, where the end of that time is no column of theirs.

import { sql } from 'kysely';
import { table } from '../../store/statement-tables.ts';
import type { Instant } from '../../store/store.ts';

/** Begins the path of an alarm about such a row, and the name under which the end of its time is stored. */
export const setAsidePrefix = 'set-aside/';

/** Orders rows of work that is done in pieces: those that are suspected of ending the server come last. */
export function suspectsLast(kind: 'move' | 'acknowledgement', id: string) {
  return sql`(select count(*) from ${table('quarantine')} where kind = ${sql.lit(kind)} and subject_id = ${sql.ref(id)}
    and state = 'suspect'), ${sql.ref(id)}`;
}

/** Whether a row of work that is done in pieces is not set aside. */
export function isNotSetAside(kind: 'move' | 'acknowledgement', id: string, now: Instant) {
  const key = sql`${sql.lit(`${setAsidePrefix}${kind}/`)} || cast(${sql.ref(id)} as text)`;
  return sql<boolean>`coalesce(cast((select value from ${table('meta')} where key = ${key}) as bigint), 0) <= ${now}`;
}
