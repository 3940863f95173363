// The occurrences of an alarm that nobody has acknowledged.

import { statement } from './statement.ts';
import type { Instant, ReadTx } from './store.ts';

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

const select = statement((db, args: { alarmId: number }) =>
  db
    .selectFrom('alarm_histories')
    .innerJoin('history_texts', 'history_texts.id', 'text_id')
    .select([
      'alarm_histories.id',
      'station_id',
      'data_server_id',
      'tag_group_id',
      'raised_at',
      'reset_at',
      'comment',
      'tag_name',
      'message',
    ])
    .where('alarm_id', '=', args.alarmId)
    .where('ack_at', 'is', null)
    .orderBy('alarm_histories.id'),
);

export async function findUnacknowledged(tx: ReadTx, alarmId: number): Promise<Unacknowledged[]> {
  return (await tx.all(select, { alarmId })).map((row) => ({
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
