// Lists how many alarms each user acknowledged in a period, and the mean reaction and intervention times.

import { type RawBuilder, sql } from 'kysely';
import { locationParts } from '../../domain/history/location-parts.ts';
import { shownNameOf } from '../../domain/people/person.ts';
import { isFoundIn, searchWords } from '../../domain/search.ts';
import { byShape, type DatabaseKind, idsIn, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Query, ReadTx } from '../../store/store.ts';
import { visibilityIn } from '../people/visible-entries.ts';
import {
  allOf,
  type HistoryArgs,
  type HistoryListing,
  type HistoryPage,
  type HistoryShape,
  historyConditions,
  isAt,
  noEntries,
  seenListing,
  shapeAndArgs,
} from './filter.ts';
import {
  countEntries,
  countedIn,
  entriesAt,
  type IdRange,
  type Pieces,
  piecesOf,
  withSparseness,
} from './read-rollups.ts';

type InterventionEntry = {
  readonly id: number;
  readonly user: string;
  /** The texts that a search looks in: the name shown and the name of the account. */
  readonly searched: string;
  readonly interventions: number;
  readonly reactionMeanMs: number;
  readonly interventionMeanMs: number;
};

type Sums = {
  user_id: number;
  interventions: number;
  reaction_ms: number;
  finished: number;
  intervention_ms: number;
};

/** The conditions on the counts for a location: one part of it, or all stations. */
function inPart(shape: HistoryShape, args: HistoryArgs, kind: DatabaseKind) {
  const { by, bound } = shape;
  const partId = sql.ref('part_id');
  const ofStations = bound ? [sql`station_id in ${idsIn(args.stationIds, kind)}`] : [];
  const ofStation = by.includes('stationId') ? [isAt('stationId', sql.ref('station_id'), shape, args, kind)] : [];
  const part = (name: keyof typeof locationParts, isIt: RawBuilder<unknown>) =>
    allOf([sql`part = ${sql.lit(locationParts[name])} and ${isIt}`, ...ofStation, ...ofStations]);
  if (by.includes('dataServerId')) return part('dataServer', isAt('dataServerId', partId, shape, args, kind));
  if (by.includes('tagGroupId')) return part('tagGroup', isAt('tagGroupId', partId, shape, args, kind));
  if (by.includes('stationId')) return part('station', isAt('stationId', partId, shape, args, kind));
  const stations = bound ? idsIn(args.stationIds, kind) : sql`(${stationsWithHistory})`;
  return part('station', sql`part_id in ${stations}`);
}

/** Skips from one station to the next in the index: there are few stations and many series. */
const stationsWithHistory = sql`with recursive found (id) as (
    select min(station_id) from ${table('history_series')}
    union all select (select min(station_id) from ${table('history_series')} where station_id > found.id) from found where id is not null)
  select id from found where id is not null`;

const sums = sql`sum(interventions) as interventions, sum(reaction_ms) as reaction_ms, sum(finished) as finished,
  sum(intervention_ms) as intervention_ms`;

/** The values one entry contributes. */
const ofEntry = sql`ack_user_id as user_id, 1 as interventions, ack_at - raised_at as reaction_ms,
  case when reset_at >= ack_at then 1 else 0 end as finished,
  case when reset_at >= ack_at then reset_at - ack_at else 0 end as intervention_ms`;

const sumStatement = byShape((shape: HistoryShape) => {
  const ofUser = (args: HistoryArgs) => (shape.ofUser ? [sql`user_id = ${args.userId}`] : []);
  return sqlStatement<HistoryArgs & Pieces, Sums>((args, kind) => {
    const counted = allOf([inPart(shape, args, kind), ...ofUser(args)]);
    return sql`
      select user_id, ${sums} from (
        select user_id, interventions, reaction_ms, finished, intervention_ms
        from ${countedIn('intervention_counts', args.whole, counted, kind)}
        union all select ${ofEntry} from ${entriesAt(shape, args, kind)}) as found where user_id is not null
      group by user_id`;
  });
});

/**
 * There are no counts for a data server combined with a tag group, nor for a call group, an alarm or a priority: those
 * entries are summed one by one.
 */
function hasCounts({ by, ofGroup, ofAlarm, ofPriority }: HistoryShape): boolean {
  return !(ofGroup || ofAlarm || ofPriority || (by.includes('dataServerId') && by.includes('tagGroupId')));
}

const rowsStatement = byShape((shape: HistoryShape) =>
  sqlStatement<HistoryArgs & IdRange, Sums>(
    (args, kind) => sql`select user_id, ${sums} from (
      select ${ofEntry} from ${table('alarm_histories')} where ack_user_id is not null and ${historyConditions(shape, args, kind)}) as found
      group by user_id`,
  ),
);

/**
 * There are few users, so all are summed and the page is cut from the result. Users whom the caller does not see are left
 * out.
 */
export const listInterventions: Query<HistoryListing, HistoryPage<InterventionEntry>> = {
  name: 'list-interventions',
  isLong: true,
  async run(tx, asked) {
    const listing = await seenListing(tx, asked);
    if (listing === undefined) return noEntries;
    const visibility = await visibilityIn(tx, listing.caller);
    const { shape, args } = shapeAndArgs({ ...listing, search: '' });
    const isSearched = searchWords(listing.search).beginning !== undefined;
    const sums = (await sumByUser(tx, shape, args)).filter(({ user_id }) => visibility.seesPerson(user_id));
    const direction = shape.order === 'asc' ? 1 : -1;
    const isByNumber = listing.sortBy === 'number';
    const all = sums.toSorted((a, b) =>
      isByNumber
        ? (a.interventions - b.interventions) * direction || a.user_id - b.user_id
        : (a.user_id - b.user_id) * direction,
    );
    const cut = <T>(rows: readonly T[]): readonly T[] => rows.slice(args.offset, args.offset + args.limit);
    if (!isSearched) return { items: await withNames(tx, cut(all)), total: all.length };
    const found = (await withNames(tx, all)).filter(({ searched }) => isFoundIn(searched, listing.search));
    return { items: cut(found), total: found.length };
  },
};

/** The number of matching entries the user acknowledged. */
export async function countAcknowledged(tx: ReadTx, shape: HistoryShape, args: HistoryArgs): Promise<number> {
  const found = await sumByUser(tx, { ...shape, order: 'asc' }, args);
  return found[0]?.interventions ?? 0;
}

async function sumByUser(tx: ReadTx, shape: HistoryShape, args: HistoryArgs): Promise<readonly Sums[]> {
  const rows = hasCounts(shape)
    ? await tx.all(sumStatement(shape), { ...args, ...piecesOf(args.from, args.to) })
    : await sumRows(tx, shape, args);
  return rows.filter(({ interventions }) => interventions > 0);
}

async function sumRows(tx: ReadTx, shape: HistoryShape, args: HistoryArgs): Promise<readonly Sums[]> {
  const range = await countEntries(tx, shape, args);
  return tx.all(rowsStatement(withSparseness(shape, range, 'all')), { ...args, ...range });
}

/** Adds the name that people read; of a deleted user, the name at the newest acknowledgement. */
async function withNames(tx: ReadTx, sums: readonly Sums[]): Promise<readonly InterventionEntry[]> {
  const ids = JSON.stringify(sums.map(({ user_id }) => user_id));
  const rows = sums.length === 0 ? [] : await tx.all(selectNames, { ids });
  const names = new Map(rows.map((row) => [row.user_id, namesIn(row)]));
  return sums.map((row) => ({
    id: row.user_id,
    ...(names.get(row.user_id) ?? { user: '', searched: '' }),
    interventions: row.interventions,
    reactionMeanMs: row.reaction_ms / row.interventions,
    interventionMeanMs: row.finished === 0 ? 0 : row.intervention_ms / row.finished,
  }));
}

type Names = { user_id: number; name: string; first_name: string; last_name: string; display_name: string };

function namesIn(row: Names): { readonly user: string; readonly searched: string } {
  const { name, first_name: firstName, last_name: lastName, display_name: displayName } = row;
  const user = shownNameOf({ name, firstName, lastName, displayName });
  return { user, searched: `${user} ${name}` };
}

/**
 * Of a deleted user only the name at the newest acknowledgement is known. The subquery for it follows the order of the
 * index by user; otherwise a planner would scan back to the last entry of a user who left.
 */
const selectNames = sqlStatement<{ ids: string }, Names>(
  (args, kind: DatabaseKind) => sql`select user_id, coalesce(name, (
        select ack_user from ${table('alarm_histories')} where ack_user_id between asked.user_id and asked.user_id
        order by ack_user_id desc, id desc limit 1)) as name,
      coalesce(first_name, '') as first_name, coalesce(last_name, '') as last_name,
      coalesce(display_name, '') as display_name
    from (select value as user_id from ${idsIn(args.ids, kind)} as ids) as asked
      left join ${table('users')} on users.id = asked.user_id`,
);
