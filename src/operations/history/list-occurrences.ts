// Lists the history of alarms, one entry per occurrence, filtered by location, period, user and words.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query } from '../../store/store.ts';
import { namesUnseen } from '../people/unseen-filters.ts';
import {
  byShape,
  type HistoryArgs,
  type HistoryListing,
  type HistoryPage,
  historyConditions,
  inOrder,
  noEntries,
  shapeAndArgs,
  withSearchFrequency,
} from './filter.ts';
import { countAcknowledged } from './list-interventions.ts';
import { countEntries, type IdRange } from './read-rollups.ts';

type HistoryEntry = {
  readonly id: number;
  readonly alarmId: number;
  readonly tagName: string;
  readonly message: string;
  readonly priority: number;
  readonly raisedAt: Instant;
  readonly ackAt: Instant | undefined;
  readonly resetAt: Instant | undefined;
  readonly comment: string;
};

type Args = HistoryArgs & IdRange;

type HistoryRow = {
  id: number;
  alarm_id: number;
  tag_name: string;
  message: string;
  priority: number;
  raised_at: number;
  ack_at: number | null;
  reset_at: number | null;
  comment: string;
};

const statements = byShape((shape) => {
  return {
    page: sqlStatement<Args, HistoryRow>(
      (args, kind) => sql`
      select page.id, page.alarm_id, tag_name, message, priority, raised_at, ack_at, reset_at, comment
      from (select id, alarm_id, text_id, priority, raised_at, ack_at, reset_at, comment from ${table('alarm_histories')}
        where ${historyConditions(shape, args, kind)} order by ${inOrder(shape, kind)} limit ${args.limit} offset ${args.offset}) as page
      join ${table('history_texts')} on history_texts.id = page.text_id order by page.id ${sql.raw(shape.order)}`,
    ),
    count: sqlStatement<Args, { total: number }>(
      (args, kind) =>
        sql`select count(*) as total from ${table('alarm_histories')} where ${historyConditions(shape, args, kind)}`,
    ),
  };
});

export const listHistories: Query<HistoryListing, HistoryPage<HistoryEntry>> = {
  name: 'list-histories',
  async run(tx, listing) {
    if (await namesUnseen(tx, listing.caller, listing.filter)) return noEntries;
    const { shape: asked, args } = shapeAndArgs(listing);
    const shape = await withSearchFrequency(tx, asked, args);
    const counted = await countEntries(tx, shape, args);
    const { page, count } = statements(shape);
    const isFound = shape.ofGroup || shape.searched !== 'none';
    const totals = {
      counted: async () => counted.total,
      acknowledged: () => countAcknowledged(tx, shape, args),
      found: async () => (await tx.one(count, { ...args, ...counted }))?.total ?? 0,
    };
    const total = await totals[isFound ? 'found' : shape.ofUser ? 'acknowledged' : 'counted']();
    const rows = args.limit === 0 || total === 0 ? [] : await tx.all(page, { ...args, ...counted });
    return { items: rows.map(entryOf), total };
  },
};

function entryOf(row: HistoryRow): HistoryEntry {
  return {
    id: row.id,
    alarmId: row.alarm_id,
    tagName: row.tag_name,
    message: row.message,
    priority: row.priority,
    raisedAt: row.raised_at,
    ackAt: row.ack_at ?? undefined,
    resetAt: row.reset_at ?? undefined,
    comment: row.comment,
  };
}
