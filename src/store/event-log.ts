// The event log: what happened, appended in the transaction that made it happen, read by position.

import { sql } from 'kysely';
import { insertRows } from './row-batch.ts';
import { limitUnseen, sqlStatement, statement } from './statement.ts';
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

const written = {
  kind: 'text',
  at: 'int',
  actor: 'text',
  station_id: 'int',
  subject_id: 'int',
  data: 'text',
} as const;

const insertEvents = insertRows('events', written);

const insertChained = insertRows('events', { id: 'int', previous_id: 'int', ...written }, { id: 'position' });

/** Appends an event to the transaction `tx`: it exists exactly when the rest of the transaction does. */
export function appendEvent(tx: Tx, now: Instant, event: NewEvent): Promise<void> {
  return appendEvents(tx, [{ ...event, at: now }]);
}

type DatedEvent = NewEvent & { readonly at: Instant };

export async function appendEvents(tx: Tx, events: readonly DatedEvent[]): Promise<void> {
  await tx.each(insertEvents, events.map(rowOf));
}

/** An event of an alarm, which leads from its newest one back to all the others. */
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

type Page = { after: number; limit: number };

/** What comes after a position: all of it, or only what is about alarms, or what is not. */
function selectAfter(about: 'anything' | 'alarms' | 'others') {
  return statement((db, args: Page, kind) =>
    db
      .selectFrom('events')
      .select(columns)
      .where('position', '>', args.after)
      .$if(about === 'alarms', (query) => query.where('kind', 'like', 'alarm.%'))
      // In the words of the index events_of_others.
      .$if(about === 'others', (query) => query.where(sql<boolean>`kind not like 'alarm.%'`))
      .orderBy('position')
      .limit(limitUnseen(args.limit, kind)),
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

/** Events after a position, oldest first. A position is given out once and only after everything before it is readable. */
export const readEvents: Query<Page, readonly StoredEvent[]> = {
  name: 'read-events',
  isQuick: true,
  run: async (tx, args) => (await tx.all(selectEventsAfter, args)).map(eventOf),
};

/** Events of one kind, and up to which position that is all of them. */
export type EventPage = { readonly events: readonly StoredEvent[]; readonly position: number };

/** A page that is not full reaches to the end of the log, whatever stands there. */
async function reachOf(tx: ReadTx, rows: readonly EventRow[], { after, limit }: Page): Promise<number> {
  const last = rows.at(-1)?.position ?? after;
  return rows.length === limit ? last : ((await tx.one(selectLastPosition, {}))?.position ?? last);
}

/** The events that are not about alarms. */
export const readOtherEvents: Query<Page, EventPage> = {
  name: 'read-other-events',
  isQuick: true,
  async run(tx, page) {
    const rows = await tx.all(selectOthersAfter, page);
    return { events: rows.map(eventOf), position: await reachOf(tx, rows, page) };
  },
};

/** The events about alarms of some stations; of all when none is named. */
export const readAlarmEvents: Query<Page & { stationIds: readonly number[] }, EventPage> = {
  name: 'read-alarm-events',
  isQuick: true,
  async run(tx, { stationIds, ...page }) {
    const rows = await tx.all(selectAlarmsAfter, page);
    const isTheirs = ({ station_id }: EventRow): boolean =>
      stationIds.length === 0 || (station_id !== null && stationIds.includes(station_id));
    return { events: rows.filter(isTheirs).map(eventOf), position: await reachOf(tx, rows, page) };
  },
};

/** Those not numbered yet are the newest: who did something sees it at once. */
const newestFirst = {
  sqlite: sql`position desc`,
  postgres: sql`position desc nulls first, id desc`,
};

/** From the alarm's newest event back, one by one. */
const selectChain = sqlStatement<{ alarmId: number; limit: number }, EventRow>((args, kind) => {
  const id = sql.ref(kind === 'sqlite' ? 'events.position' : 'events.id');
  return sql`with recursive chain (event_id, nth) as (
      select last_event_id, 1 from alarms where id = ${args.alarmId}
      union all select previous_id, nth + 1 from chain join events on ${id} = event_id where nth < ${args.limit})
    select ${sql.join(columns.map((column) => sql.ref(column)))} from chain join events on ${id} = event_id
    order by ${newestFirst[kind]}`;
});

/** What else is told of the alarm, and what was told of it before events were chained. */
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

/** Of the calls that were made for the alarm. */
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

/** The newest events of one alarm and of the calls made for it, oldest first. */
export const readTimeline: Query<{ alarmId: number; limit: number }, readonly StoredEvent[]> = {
  name: 'read-timeline',
  async run(tx, args) {
    const parts = [
      await tx.all(selectChain, args),
      await tx.all(selectUnchained, args),
      await tx.all(selectCallEvents, args),
    ];
    // Those without a position are the newest.
    const place = ({ position }: EventRow): number => position ?? Number.MAX_SAFE_INTEGER;
    const all = parts.flatMap((rows) => rows.toReversed()).toSorted((one, other) => place(one) - place(other));
    return all.slice(-args.limit).map(eventOf);
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

const selectOldestPosition = statement((db) =>
  db.selectFrom('events').select((eb) => eb.fn.min('position').as('position')),
);

/** Where the log stands, and the oldest position it still holds; one above the newest when it holds none. */
export const readLogStart: Query<Record<string, never>, LogPosition & { readonly oldest: number }> = {
  name: 'read-log-start',
  isQuick: true,
  async run(tx) {
    const { epoch, position } = await readLogPosition.run(tx, {});
    return { epoch, position, oldest: (await tx.one(selectOldestPosition, {}))?.position ?? position + 1 };
  },
};
