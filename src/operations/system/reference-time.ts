// The time by which all nodes of a database go: the database's own, ahead of it as long as that was set back.

import { sql } from 'kysely';
import { sqlStatement, statement } from '../../store/statement.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';

/** The one place where a database is asked what time it is; everything else is told. */
const selectTime = sqlStatement<Record<string, never>, { now: number }>((_, kind) =>
  kind === 'sqlite'
    ? sql`select cast(unixepoch('subsec') * 1000 as integer) as now`
    : sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
);

export const clockKey = 'clock';

const selectClock = statement((db) => db.selectFrom('meta').select('value').where('key', '=', clockKey));

/** How the time was set so far: how often, and how far ahead of the database all nodes were at `since`. */
type ClockSteps = { readonly steps: number; readonly aheadMs: number; readonly since: Instant };

export async function readClockSteps(tx: ReadTx): Promise<ClockSteps> {
  const kept = await tx.one(selectClock, {});
  return kept === undefined ? { steps: 0, aheadMs: 0, since: 0 } : (JSON.parse(kept.value) as ClockSteps);
}

const selectLatest = statement((db) =>
  db.selectFrom('events').select('at').where('position', 'is not', null).orderBy('position', 'desc').limit(1),
);

export type ReferenceTime = ClockSteps & {
  readonly now: Instant;
  /** When the newest thing happened that was stored; 0 when nothing was. */
  readonly latest: Instant;
};

export const readReferenceTime: Query<Record<string, never>, ReferenceTime> = {
  name: 'read-reference-time',
  isQuick: true,
  run: async (tx) => ({
    ...(await readClockSteps(tx)),
    now: (await tx.one(selectTime, {}))?.now ?? 0,
    latest: (await tx.one(selectLatest, {}))?.at ?? 0,
  }),
};
