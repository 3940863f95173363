// Lists the history of alarms, one entry per occurrence, filtered by location, period, user and words.

import { sql } from 'kysely';
import { type Caller, seesStation } from '../../domain/access/access.ts';
import { foreignName } from '../../domain/people/visibility.ts';
import { byShape, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { visibilityIn } from '../people/visible-entries.ts';
import {
  type HistoryArgs,
  type HistoryListing,
  type HistoryPage,
  type HistoryShape,
  historyConditions,
  inOrder,
  isNarrowed,
  noEntries,
  seenListing,
  shapeAndArgs,
  withSearchFrequency,
} from './filter.ts';
import { countAcknowledged } from './list-interventions.ts';
import { readPending } from './pending-acknowledgements.ts';
import { countEntries, type IdRange, withSparseness } from './read-rollups.ts';

export type HistoryEntry = {
  readonly id: number;
  readonly alarmId: number;
  readonly stationId: number;
  /** Whether it is of an alarm of Tocsin itself. */
  readonly isSystem: boolean;
  readonly tagName: string;
  readonly message: string;
  readonly priority: number;
  readonly raisedAt: Instant;
  readonly ackAt: Instant | undefined;
  readonly ackUserId: number | undefined;
  readonly ackUser: string;
  readonly resetAt: Instant | undefined;
  readonly comment: string;
};

type Args = HistoryArgs & IdRange;

type HistoryRow = {
  id: number;
  alarm_id: number;
  station_id: number;
  is_system: number | null;
  tag_name: string;
  message: string;
  priority: number;
  raised_at: number;
  ack_at: number | null;
  ack_user_id: number | null;
  ack_user: string | null;
  reset_at: number | null;
  comment: string;
};

const statements = byShape((shape: HistoryShape) => {
  return {
    page: sqlStatement<Args, HistoryRow>(
      (args, kind) => sql`
      select page.id, page.alarm_id, page.station_id, is_system, tag_name, message, priority, raised_at, ack_at, ack_user_id,
        ack_user, reset_at, comment
      from (select id, alarm_id, station_id, data_server_id, text_id, priority, raised_at, ack_at, ack_user_id, ack_user, reset_at,
          comment from ${table('alarm_histories')}
        where ${historyConditions(shape, args, kind)} order by ${inOrder(shape, kind)} limit ${args.limit} offset ${args.offset}) as page
      join ${table('history_texts')} on history_texts.id = page.text_id
      left join ${table('data_servers')} on data_servers.id = page.data_server_id order by page.id ${sql.raw(shape.order)}`,
    ),
    count: sqlStatement<Args, { total: number }>(
      (args, kind) =>
        sql`select count(*) as total from ${table('alarm_histories')} where ${historyConditions(shape, args, kind)}`,
    ),
  };
});

export const listHistories: Query<HistoryListing, HistoryPage<HistoryEntry>> = {
  name: 'list-histories',
  isLong: true,
  async run(tx, asked) {
    const listing = await seenListing(tx, asked);
    if (listing === undefined) return noEntries;
    const { shape: plain, args } = shapeAndArgs(listing);
    const counted = await countEntries(tx, plain, args);
    const shape = withSparseness(await withSearchFrequency(tx, plain, args), counted, args.offset + args.limit);
    const { page, count } = statements(shape);
    const isFound = isNarrowed(shape);
    const totals = {
      counted: async () => counted.total,
      acknowledged: () => countAcknowledged(tx, shape, args),
      found: async () => (await tx.one(count, { ...args, ...counted }))?.total ?? 0,
    };
    const total = await totals[isFound ? 'found' : shape.ofUser ? 'acknowledged' : 'counted']();
    const rows = args.limit === 0 || total === 0 ? [] : await tx.all(page, { ...args, ...counted });
    const entries = await withPending(tx, rows.map(entryOf));
    return { items: await shownTo(tx, entries, listing.caller), total };
  },
};

const selectEntry = sqlStatement<{ id: number }, HistoryRow>(
  ({
    id,
  }) => sql`select alarm_histories.id, alarm_histories.alarm_id, alarm_histories.station_id, is_system, tag_name, message,
      priority, raised_at, ack_at, ack_user_id, ack_user, reset_at, comment
    from ${table('alarm_histories')} join ${table('history_texts')} on history_texts.id = text_id
    left join ${table('data_servers')} on data_servers.id = data_server_id where alarm_histories.id = ${id}`,
);

type OneEntry = { readonly id: number; readonly caller: Pick<Caller, 'stationIds'> };

/** Returns one entry; undefined if the caller sees no such one. */
export const getHistory: Query<OneEntry, HistoryEntry | undefined> = {
  name: 'get-history',
  async run(tx, { id, caller }) {
    const row = await tx.one(selectEntry, { id });
    if (row === undefined || !seesStation(caller, row.station_id)) return undefined;
    const [entry] = await shownTo(tx, await withPending(tx, [entryOf(row)]), caller);
    return entry;
  },
};

/** Shows the entries of an acknowledgement that is not written to all of them yet as they will be. */
async function withPending(tx: ReadTx, entries: readonly HistoryEntry[]): Promise<readonly HistoryEntry[]> {
  const unacknowledged = entries.filter(({ ackAt }) => ackAt === undefined);
  if (unacknowledged.length === 0) return entries;
  const pending = await readPending(tx, new Set(unacknowledged.map(({ alarmId }) => alarmId)));
  if (pending.length === 0) return entries;
  return entries.map((entry) => {
    const found = pending.find(({ alarmId, upTo }) => alarmId === entry.alarmId && entry.id <= upTo);
    if (entry.ackAt !== undefined || found === undefined) return entry;
    const { at: ackAt, by, comment } = found;
    return {
      ...entry,
      ackAt,
      ackUserId: by.userId,
      ackUser: by.name,
      comment: comment === '' ? entry.comment : comment,
    };
  });
}

/** Returns the entries without the names of people whom the caller does not see. */
async function shownTo(
  tx: ReadTx,
  entries: readonly HistoryEntry[],
  caller: HistoryListing['caller'],
): Promise<readonly HistoryEntry[]> {
  if (caller.stationIds.length === 0) return entries;
  const visibility = await visibilityIn(tx, caller);
  return entries.map((entry) =>
    entry.ackUserId === undefined || visibility.seesPerson(entry.ackUserId)
      ? entry
      : { ...entry, ackUser: foreignName },
  );
}

function entryOf(row: HistoryRow): HistoryEntry {
  return {
    id: row.id,
    alarmId: row.alarm_id,
    stationId: row.station_id,
    isSystem: row.is_system === 1,
    tagName: row.tag_name,
    message: row.message,
    priority: row.priority,
    raisedAt: row.raised_at,
    ackAt: row.ack_at ?? undefined,
    ackUserId: row.ack_user_id ?? undefined,
    ackUser: row.ack_user ?? '',
    resetAt: row.reset_at ?? undefined,
    comment: row.comment,
  };
}
