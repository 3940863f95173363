// The reference time of all nodes: the database's clock, or ahead of it after that was set back.

import { sql } from 'kysely';
import {
  type AheadFrom,
  aheadAt,
  type ForwardStep,
  referenceAt,
  timeNow,
  windowStart,
} from '../../domain/clock-step.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';

/** The only place that reads the database's clock; everywhere else the time is an argument. */
const selectTime = sqlStatement<Record<string, never>, { now: number }>((_, kind) =>
  kind === 'sqlite'
    ? sql`select cast(unixepoch('subsec') * 1000 as integer) as now`
    : sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
);

export const clockKey = 'clock';

const selectClock = statement((db) => db.selectFrom('meta').select('value').where('key', '=', clockKey));

/** The clock steps so far: how many, and how far all nodes were ahead of the database at `since`. */
type ClockSteps = {
  readonly steps: number;
  readonly aheadMs: number;
  readonly since: Instant;
  /** Those of the last day, the newest first. */
  readonly forwards: readonly ForwardStep[];
  /** How far ahead they were before and since each step of the last day, the newest first. */
  readonly aheads: readonly AheadFrom[];
  /** By how much all steps together have set the clock ahead. */
  readonly forwardTotalMs: number;
};

export async function readClockSteps(tx: ReadTx): Promise<ClockSteps> {
  const stored = await tx.one(selectClock, {});
  const none = { steps: 0, aheadMs: 0, since: 0, forwards: [], aheads: [], forwardTotalMs: 0 };
  return stored === undefined ? none : { ...none, ...(JSON.parse(stored.value) as Partial<ClockSteps>) };
}

/** The time by which duties are looked up: what people wrote in civil time follows the clock of the database. */
export const getCivilTime: Query<{ readonly now: Instant }, Instant> = {
  name: 'get-civil-time',
  isQuick: true,
  run: async (tx, { now }) => referenceAt(now, await readClockSteps(tx)),
};

/** By how much our clocks are ahead of that of the database: now, and when that will show a time, if it is not set before. */
export async function readLead(tx: ReadTx, now: Instant) {
  const steps = await readClockSteps(tx);
  return { now: now - referenceAt(now, steps), when: (civil: Instant): number => aheadAt(steps, civil) };
}

/** Reads how the times of records relate to the present time, for windows that are counted over records. */
export async function readRecordClock(tx: ReadTx) {
  const { forwards } = await readClockSteps(tx);
  return {
    timeNow: (recorded: Instant): Instant => timeNow(recorded, forwards),
    windowStart: (now: Instant, lengthMs: number): Instant => windowStart(now, lengthMs, forwards),
  };
}

const selectLatest = statement((db) =>
  db.selectFrom('events').select('at').where('position', 'is not', null).orderBy('position', 'desc').limit(1),
);

export type ReferenceTime = ClockSteps & {
  readonly now: Instant;
  /** The time of the newest stored event; 0 when there is none. */
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
