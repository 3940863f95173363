// Finds the unacknowledged occurrences of an alarm, oldest first and no more at once than a transaction should write.

import { sql } from 'kysely';
import { isOneOfIds, sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, ReadTx } from '../../store/store.ts';

export type Unacknowledged = {
  readonly id: number;
  readonly stationId: number;
  readonly dataServerId: number;
  readonly tagGroupId: number | undefined;
  readonly raisedAt: Instant;
  readonly resetAt: Instant | undefined;
  readonly comment: string;
  readonly tagName: string;
  readonly message: string;
};

const columns = [
  'id',
  'station_id',
  'data_server_id',
  'tag_group_id',
  'raised_at',
  'reset_at',
  'comment',
  'text_id',
] as const;

const selectSeries = statement((db, args: { alarmId: number; since: Instant }) =>
  db
    .selectFrom('history_series')
    .select('id')
    .where('alarm_id', '=', args.alarmId)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', args.since)]))
    .orderBy('first_raised'),
);

type InSeries = { seriesId: number; since: Instant; after: number; upTo: number; limit: number };

/**
 * By the index of the series, which has the entries in the order in which they were raised; `id + 0` keeps planners from
 * going through the ids instead.
 */
export const selectInSeries = statement((db, args: InSeries) =>
  db
    .selectFrom('alarm_histories')
    .select(columns)
    .where('series_id', '=', args.seriesId)
    .where('raised_at', '>=', args.since)
    .where('ack_at', 'is', null)
    .where(sql<number>`id + 0`, '>', args.after)
    .where(sql<number>`id + 0`, '<=', args.upTo)
    .orderBy('raised_at')
    .orderBy('id')
    .limit(args.limit),
);

const selectById = statement((db, args: { id: number }) =>
  db.selectFrom('alarm_histories').select(columns).where('id', '=', args.id).where('ack_at', 'is', null),
);

const selectTexts = sqlStatement<{ ids: string }, { id: number; tag_name: string; message: string }>(
  (args, kind) =>
    sql`select id, tag_name, message from ${table('history_texts')} where ${isOneOfIds('id', args.ids, kind)}`,
);

type Row = NonNullable<(typeof selectById)['types']>['row'];

export type UnacknowledgedRange = {
  readonly alarmId: number;
  /** Not later than the oldest of them. */
  readonly since: Instant;
  /** Only entries with greater ids: those up to it are being acknowledged already. */
  readonly after?: number;
  readonly upTo: number;
  readonly limit: number;
};

export async function findUnacknowledged(tx: ReadTx, range: UnacknowledgedRange): Promise<Unacknowledged[]> {
  const { alarmId, since, after = 0, upTo, limit } = range;
  const rows: Row[] = [];
  for (const { id: seriesId } of await tx.all(selectSeries, { alarmId, since }))
    rows.push(...(await tx.all(selectInSeries, { seriesId, since, after, upTo, limit })));
  rows.sort((one, other) => one.raised_at - other.raised_at || one.id - other.id);
  return withTexts(tx, rows.slice(0, limit));
}

/** Returns one occurrence if it is unacknowledged. */
export async function findUnacknowledgedEntry(tx: ReadTx, id: number): Promise<Unacknowledged[]> {
  return withTexts(tx, await tx.all(selectById, { id }));
}

async function withTexts(tx: ReadTx, rows: readonly Row[]): Promise<Unacknowledged[]> {
  const ids = JSON.stringify([...new Set(rows.map(({ text_id }) => text_id))]);
  const texts = new Map((rows.length === 0 ? [] : await tx.all(selectTexts, { ids })).map((text) => [text.id, text]));
  return rows.map((row) => ({
    id: row.id,
    stationId: row.station_id,
    dataServerId: row.data_server_id,
    tagGroupId: row.tag_group_id ?? undefined,
    raisedAt: row.raised_at,
    resetAt: row.reset_at ?? undefined,
    comment: row.comment,
    tagName: texts.get(row.text_id)?.tag_name ?? '',
    message: texts.get(row.text_id)?.message ?? '',
  }));
}
