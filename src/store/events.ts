// The event log: what happened, appended in the transaction that made it happen, read by position.

import { statement } from './statement.ts';
import type { Instant, Query, ReadTx, Tx } from './store.ts';

/** What goes into the log. `actor` says who: `user:3`, `key:7`, `cli`, `system`. */
export type NewEvent = {
  readonly kind: string;
  readonly actor: string;
  readonly stationId?: number;
  readonly subjectId?: number;
  readonly data?: Readonly<Record<string, unknown>>;
};

export type StoredEvent = {
  readonly position: number;
  readonly kind: string;
  readonly at: Instant;
  readonly actor: string;
  readonly stationId: number | undefined;
  readonly subjectId: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
};

const insertEvent = statement<{
  kind: string;
  at: number;
  actor: string;
  stationId: number | null;
  subjectId: number | null;
  data: string;
}>((db, args) =>
  db.insertInto('events').values({
    kind: args.kind,
    at: args.at,
    actor: args.actor,
    station_id: args.stationId,
    subject_id: args.subjectId,
    data: args.data,
  }),
);

/** Appends an event to the transaction `tx`: it exists exactly when the rest of the transaction does. */
export async function appendEvent(tx: Tx, now: Instant, event: NewEvent): Promise<void> {
  await tx.run(insertEvent, {
    kind: event.kind,
    at: now,
    actor: event.actor,
    stationId: event.stationId ?? null,
    subjectId: event.subjectId ?? null,
    data: JSON.stringify(event.data ?? {}),
  });
}

const selectEventsAfter = statement((db, args: { after: number; limit: number }) =>
  db
    .selectFrom('events')
    .select(['position', 'kind', 'at', 'actor', 'station_id', 'subject_id', 'data'])
    .where('position', '>', args.after)
    .orderBy('position')
    .limit(args.limit),
);

const selectLastPosition = statement((db) =>
  db.selectFrom('events').select((eb) => eb.fn.max('position').as('position')),
);

const selectEpoch = statement((db) => db.selectFrom('meta').select('value').where('key', '=', 'epoch'));

type EventRow = {
  position: number;
  kind: string;
  at: Instant;
  actor: string;
  station_id: number | null;
  subject_id: number | null;
  data: string;
};

function eventOf(row: EventRow): StoredEvent {
  return {
    position: row.position,
    kind: row.kind,
    at: row.at,
    actor: row.actor,
    stationId: row.station_id ?? undefined,
    subjectId: row.subject_id ?? undefined,
    data: JSON.parse(row.data),
  };
}

/** Events after a position, oldest first. A position is given out once and only after everything before it is readable. */
export const readEvents: Query<{ after: number; limit: number }, readonly StoredEvent[]> = {
  name: 'read-events',
  isQuick: true,
  run: async (tx, args) => (await tx.all(selectEventsAfter, args)).map(eventOf),
};

const selectTimeline = statement((db, args: { subjectId: number; kinds: string; limit: number }) =>
  db
    .selectFrom('events')
    .select(['position', 'kind', 'at', 'actor', 'station_id', 'subject_id', 'data'])
    .where('subject_id', '=', args.subjectId)
    .where('kind', 'like', args.kinds)
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(args.limit),
);

/** The newest events of one alarm, oldest first. */
export const readTimeline: Query<{ alarmId: number; limit: number }, readonly StoredEvent[]> = {
  name: 'read-timeline',
  async run(tx, { alarmId, limit }) {
    const rows = await tx.all(selectTimeline, { subjectId: alarmId, kinds: 'alarm.%', limit });
    return rows.map(eventOf).toReversed();
  },
};

/** Where the log stands: positions of one epoch are comparable, a restore begins a new one. */
export type LogPosition = { readonly epoch: string; readonly position: number };

export const readLogPosition: Query<Record<string, never>, LogPosition> = {
  name: 'read-log-position',
  isQuick: true,
  async run(tx: ReadTx) {
    const [epoch, last] = [await tx.one(selectEpoch, {}), await tx.one(selectLastPosition, {})];
    return { epoch: epoch?.value ?? '', position: last?.position ?? 0 };
  },
};
