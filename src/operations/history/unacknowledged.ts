// Finds the unacknowledged occurrences of an alarm.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
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

type UnacknowledgedRow = {
  id: number;
  station_id: number;
  data_server_id: number;
  tag_group_id: number | null;
  raised_at: number;
  reset_at: number | null;
  comment: string;
  tag_name: string;
  message: string;
};

/** PostgreSQL is forced to go series by series: before it had statistics, it scanned every entry since then. */
const select = sqlStatement<{ alarmId: number; since: Instant }, UnacknowledgedRow>((args, kind) => {
  const inSeries = sql`series_id = history_series.id and raised_at >= ${args.since} and ack_at is null`;
  const entries =
    kind === 'sqlite'
      ? sql`join ${table('alarm_histories')} as entry on ${inSeries}`
      : sql`cross join lateral (select * from ${table('alarm_histories')} where ${inSeries} offset 0) as entry`;
  return sql`select entry.id, entry.station_id, entry.data_server_id, entry.tag_group_id, raised_at, reset_at, comment,
      tag_name, message
    from ${table('history_series')} ${entries} join ${table('history_texts')} on history_texts.id = entry.text_id
    where history_series.alarm_id = ${args.alarmId} order by entry.id`;
});

/** `since` must not be later than the oldest unacknowledged occurrence. */
export async function findUnacknowledged(tx: ReadTx, alarmId: number, since: Instant): Promise<Unacknowledged[]> {
  return (await tx.all(select, { alarmId, since })).map((row) => ({
    id: row.id,
    stationId: row.station_id,
    dataServerId: row.data_server_id,
    tagGroupId: row.tag_group_id ?? undefined,
    raisedAt: row.raised_at,
    resetAt: row.reset_at ?? undefined,
    comment: row.comment,
    tagName: row.tag_name,
    message: row.message,
  }));
}
