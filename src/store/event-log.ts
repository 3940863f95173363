// The event log: events are appended in the transaction they describe and read by position.

import { sql } from 'kysely';
import { insertRows } from './row-batch.ts';
import { opaqueLimit, sqlStatement, statement } from './statement.ts';
import { table } from './statement-tables.ts';
import type { Instant, Query, ReadTx, Tx } from './store.ts';

/** An event to append. `actor` is one of `user:3`, `key:7`, `cli`, `system`. */
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

const written = {
  kind: 'text',
  at: 'int',
  actor: 'text',
  station_id: 'int',
  subject_id: 'int',
  data: 'text',
} as const;

const insertEvents = insertRows('events', written);

const insertChained = insertRows(
  'events',
  { id: 'int', previous_id: 'int', ...written },
  { onSqlite: { id: 'position' }, isFrequent: true },
);

/** Appends an event in the transaction `tx`, so that it is stored exactly when the rest of the transaction is. */
export function appendEvent(tx: Tx, now: Instant, event: NewEvent): Promise<void> {
  return appendEvents(tx, [{ ...event, at: now }]);
}

type DatedEvent = NewEvent & { readonly at: Instant };

export async function appendEvents(tx: Tx, events: readonly DatedEvent[]): Promise<void> {
  await tx.each(insertEvents, events.map(rowOf));
}

/** An event of an alarm with a link to that alarm's previous event. */
type ChainedEvent = DatedEvent & { readonly id: number; readonly previousId: number };

export async function appendChained(tx: Tx, events: readonly ChainedEvent[]): Promise<void> {
  await tx.each(
    insertChained,
    events.map((event) => ({ ...rowOf(event), id: event.id, previous_id: event.previousId })),
  );
}

function rowOf({ kind, at, actor, stationId, subjectId, data = {} }: DatedEvent) {
  const text = JSON.stringify(data);
  return { kind, at, actor, station_id: stationId ?? null, subject_id: subjectId ?? null, data: text };
}

const columns = ['position', 'kind', 'at', 'actor', 'station_id', 'subject_id', 'data'] as const;

type PageAfter = { after: number; limit: number };

/** Selects the events after a position: all of them, only those about alarms, or only the rest. */
function selectAfter(about: 'anything' | 'alarms' | 'others') {
  return statement((db, args: PageAfter, kind) =>
    db
      .selectFrom('events')
      .select(columns)
      .where('position', '>', args.after)
      .$if(about === 'alarms', (query) => query.where('kind', 'like', 'alarm.%'))
      // Spelled exactly as in the partial index events_of_others, so that the index is used.
      .$if(about === 'others', (query) => query.where(sql<boolean>`kind not like 'alarm.%'`))
      .orderBy('position')
      .limit(opaqueLimit(args.limit, kind)),
  );
}

const selectEventsAfter = selectAfter('anything');
const selectAlarmsAfter = selectAfter('alarms');
const selectOthersAfter = selectAfter('others');

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

/**
 * Reads events after a position, oldest first. A position is assigned once, and only after all earlier ones can be
 * read.
 */
export const readEvents: Query<PageAfter, readonly StoredEvent[]> = {
  name: 'read-events',
  isQuick: true,
  run: async (tx, args) => (await tx.all(selectEventsAfter, args)).map(eventOf),
};

/** Events that match a filter, and the position up to which no other event matches. */
export type EventPage = { readonly events: readonly StoredEvent[]; readonly position: number };

/** Returns the position up to which a page is complete: the end of the log when the page is not full. */
async function completeTo(tx: ReadTx, rows: readonly EventRow[], { after, limit }: PageAfter): Promise<number> {
  const last = rows.at(-1)?.position ?? after;
  return rows.length === limit ? last : ((await tx.one(selectLastPosition, {}))?.position ?? last);
}

/** Reads the events that are not about alarms. */
export const readOtherEvents: Query<PageAfter, EventPage> = {
  name: 'read-other-events',
  isQuick: true,
  async run(tx, page) {
    const rows = await tx.all(selectOthersAfter, page);
    return { events: rows.map(eventOf), position: await completeTo(tx, rows, page) };
  },
};

/** Reads the alarm events of some stations, or of all when none is named. */
export const readAlarmEvents: Query<PageAfter & { stationIds: readonly number[] }, EventPage> = {
  name: 'read-alarm-events',
  isQuick: true,
  async run(tx, { stationIds, ...page }) {
    const rows = await tx.all(selectAlarmsAfter, page);
    const isTheirs = ({ station_id }: EventRow): boolean =>
      stationIds.length === 0 || (station_id !== null && stationIds.includes(station_id));
    return { events: rows.filter(isTheirs).map(eventOf), position: await completeTo(tx, rows, page) };
  },
};

/** Events without a position are the newest: sorted first, so that a person sees the result of an action at once. */
const newestFirst = {
  sqlite: sql`position desc`,
  postgres: sql`position desc nulls first, id desc`,
};

/** Walks from the alarm's newest event back through previous_id. */
const selectChain = sqlStatement<{ alarmId: number; limit: number }, EventRow>((args, kind) => {
  const id = sql.ref(kind === 'sqlite' ? 'events.position' : 'events.id');
  return sql`with recursive chain (event_id, nth) as (
      select last_event_id, 1 from ${table('alarms')} where id = ${args.alarmId}
      union all select previous_id, nth + 1 from chain join ${table('events')} on ${id} = event_id where nth < ${args.limit})
    select ${sql.join(columns.map((column) => sql.ref(column)))} from chain join ${table('events')} on ${id} = event_id
    order by ${newestFirst[kind]}`;
});

/** The alarm's events outside the chain, including those written before events were chained. */
const selectUnchained = statement((db, args: { alarmId: number; limit: number }, kind) =>
  db
    .selectFrom('events')
    .select(columns)
    .where('subject_id', '=', args.alarmId)
    .where('kind', 'like', 'alarm.%')
    .where('previous_id', 'is', null)
    .orderBy(newestFirst[kind])
    .limit(args.limit),
);

/** The events of the calls made for the alarm. */
const selectCallEvents = statement((db, args: { alarmId: number; limit: number }, kind) =>
  db
    .selectFrom('events')
    .select(columns)
    .where('kind', 'like', 'call.%')
    .where('previous_id', 'is', null)
    .where('subject_id', 'in', (eb) =>
      eb
        .selectFrom('call_causes')
        .select('call_id')
        .where('alarm_id', '=', args.alarmId)
        .where('call_id', 'is not', null),
    )
    .orderBy(newestFirst[kind])
    .limit(args.limit),
);

/** Reads the newest events of one alarm and of the calls made for it, oldest first. */
export async function readTimeline(
  tx: ReadTx,
  args: { readonly alarmId: number; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const parts = [
    await tx.all(selectChain, args),
    await tx.all(selectUnchained, args),
    await tx.all(selectCallEvents, args),
  ];
  // Events without a position are the newest.
  const sortKey = ({ position }: EventRow): number => position ?? Number.MAX_SAFE_INTEGER;
  const all = parts.flatMap((rows) => rows.toReversed()).toSorted((one, other) => sortKey(one) - sortKey(other));
  return all.slice(-args.limit).map(eventOf);
}

/** The end of the log. Positions are comparable within one epoch; a restore begins a new epoch. */
export type LogPosition = { readonly epoch: string; readonly position: number };

export const readLogPosition: Query<Record<string, never>, LogPosition> = {
  name: 'read-log-position',
  isQuick: true,
  async run(tx: ReadTx) {
    const [epoch, last] = [await tx.one(selectEpoch, {}), await tx.one(selectLastPosition, {})];
    return { epoch: epoch?.value ?? '', position: last?.position ?? 0 };
  },
};

const selectOldestPosition = statement((db) =>
  db.selectFrom('events').select((eb) => eb.fn.min('position').as('position')),
);

/** Reads the end of the log and its oldest stored position; for an empty log, one above the end. */
export const readLogStart: Query<Record<string, never>, LogPosition & { readonly oldest: number }> = {
  name: 'read-log-start',
  isQuick: true,
  async run(tx) {
    const { epoch, position } = await readLogPosition.run(tx, {});
    return { epoch, position, oldest: (await tx.one(selectOldestPosition, {}))?.position ?? position + 1 };
  },
};
