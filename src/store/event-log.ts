// The event log: events are appended in the transaction they describe and read by position.

import { sql } from 'kysely';
import { deleteRows, insertRows } from './row-batch.ts';
import { opaqueLimit, type Statement, statement } from './statement.ts';
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

/** An event with a link to the previous event of its subject. Chained events are the frequent ones. */
type ChainedEvent = DatedEvent & { readonly id: number; readonly previousId: number };

export async function appendChained(tx: Tx, events: readonly ChainedEvent[]): Promise<void> {
  await tx.each(
    insertChained,
    events.map((event) => ({ ...rowOf(event), id: event.id, previous_id: event.previousId })),
  );
}

const deleteEvents = deleteRows('events', { id: 'int' }, { onSqlite: { id: 'position' } });

/** Removes events that newer ones of the same transaction replace. */
export async function removeReplaced(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.each(
    deleteEvents,
    ids.map((id) => ({ id })),
  );
}

function rowOf({ kind, at, actor, stationId, subjectId, data = {} }: DatedEvent) {
  const text = JSON.stringify(data);
  return { kind, at, actor, station_id: stationId ?? null, subject_id: subjectId ?? null, data: text };
}

export const eventColumns = ['position', 'kind', 'at', 'actor', 'station_id', 'subject_id', 'data'] as const;

export type PageAfter = { after: number; limit: number };

const selectEventsAfter = statement((db, args: PageAfter, kind) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('position', '>', args.after)
    .orderBy('position')
    .limit(opaqueLimit(args.limit, kind)),
);

/** Selects the events of a topic after a position, or those of the other topics. */
export function selectByTopic(topic: string, which: 'own' | 'others'): Statement<PageAfter, EventRow> {
  const pattern = `${topic}.%`;
  return statement((db, args: PageAfter, kind) =>
    db
      .selectFrom('events')
      .select(eventColumns)
      .where('position', '>', args.after)
      .$if(which === 'own', (query) => query.where('kind', 'like', pattern))
      // Literally the condition of the partial index for the frequent topic, so that the index is used.
      .$if(which === 'others', (query) => query.where(sql<boolean>`kind not like ${sql.lit(pattern)}`))
      .orderBy('position')
      .limit(opaqueLimit(args.limit, kind)),
  );
}

const selectLastPosition = statement((db) =>
  db.selectFrom('events').select((eb) => eb.fn.max('position').as('position')),
);

const selectEpoch = statement((db) => db.selectFrom('meta').select('value').where('key', '=', 'epoch'));

export type EventRow = {
  position: number;
  kind: string;
  at: Instant;
  actor: string;
  station_id: number | null;
  subject_id: number | null;
  data: string;
};

export function eventOf(row: EventRow): StoredEvent {
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

/** Reads a page of the events that a statement of `selectByTopic` finds and that are wanted. */
export async function readPage(
  tx: ReadTx,
  select: Statement<PageAfter, EventRow>,
  page: PageAfter,
  isWanted: (row: EventRow) => boolean = () => true,
): Promise<EventPage> {
  const rows = await tx.all(select, page);
  return { events: rows.filter(isWanted).map(eventOf), position: await completeTo(tx, rows, page) };
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
