// Counts how many alarms were raised in each span of a period, from the counts of whole hours where they tell it.

import { sql } from 'kysely';
import { type SpanName, spanAt, spanEdges, spanLengths } from '../../domain/history/series.ts';
import { hourMs } from '../../domain/history/time-buckets.ts';
import { civilClock, type Period } from '../../domain/on-call/civil-time.ts';
import { byShape, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import {
  type HistoryArgs,
  type HistorySelection,
  type HistoryShape,
  historyConditions,
  inLocation,
  isNarrowed,
  seenListing,
  shapeAndArgs,
  withSearchFrequency,
} from './filter.ts';
import {
  countEntries,
  countedIn,
  entriesAt,
  hourPiecesOf,
  type IdRange,
  type Pieces,
  withSparseness,
} from './read-rollups.ts';

/** The priority that stands for itself and all less urgent ones. */
const lastPriority = 4;

type SeriesAsked = HistorySelection & {
  readonly filter: { readonly from: Instant; readonly to: Instant };
  readonly every: SpanName;
  readonly isByPriority: boolean;
  readonly timeZone: string;
};

type Span = {
  readonly start: Instant;
  readonly entries: number;
  /** Of priority 1 and so on. */
  readonly byPriority: readonly number[];
};

/** Entries that were raised in the same span, counted from 1970 by the local clock. */
type GroupRow = { nth: number; priority: number; entries: number };

type SeriesShape = HistoryShape & { readonly every: SpanName; readonly isByPriority: boolean };
/** How far the local clock is ahead of UTC. */
type ClockArgs = { readonly clockOffset: number };

/** Whole numbers are divided to whole numbers. */
function nthSpan(at: string, every: SpanName, { clockOffset }: ClockArgs) {
  return sql`(${sql.ref(at)} + ${clockOffset}) / ${sql.lit(spanLengths[every])}`;
}

const fromEntries = byShape((shape: SeriesShape) =>
  sqlStatement<HistoryArgs & IdRange & ClockArgs, GroupRow>((args, kind) => {
    const priority = shape.isByPriority
      ? sql`case when priority < ${sql.lit(lastPriority)} then priority else ${sql.lit(lastPriority)} end`
      : sql`0`;
    return sql`select ${nthSpan('raised_at', shape.every, args)} as nth, ${priority} as priority, count(*) as entries
      from ${table('alarm_histories')} where ${historyConditions(shape, args, kind)} group by 1, 2`;
  }),
);

const fromCounts = byShape((shape: SeriesShape) =>
  sqlStatement<HistoryArgs & Pieces & ClockArgs, GroupRow>((args, kind) => {
    const hours = sql`select step * ${sql.lit(hourMs)} as at, entries
      from ${countedIn('history_counts', args.whole, inLocation(shape, args, kind), kind)}`;
    return sql`select ${nthSpan('at', shape.every, args)} as nth, 0 as priority, sum(entries) as entries
      from (${hours} union all select raised_at, 1 from ${entriesAt(shape, args, kind)}) as found group by 1`;
  }),
);

/**
 * Counts from one clock change to the next: with one offset a span is a division, where a table of offsets had to be searched for
 * every entry, which took two thirds of the time.
 */
export const countSeries: Query<SeriesAsked, readonly Span[]> = {
  name: 'count-series',
  isLong: true,
  async run(tx, asked) {
    const { every, timeZone, filter } = asked;
    const clock = civilClock(timeZone);
    const edges = spanEdges(every, filter.from, filter.to, clock);
    const spans = edges.slice(0, -1).map((start) => ({ start, entries: 0, byPriority: [0, 0, 0, 0] }));
    for (const period of clock.periodsIn(filter.from, filter.to)) {
      for (const { nth, priority, entries } of await groupsOf(tx, asked, edges, period)) {
        const start = nth * spanLengths[every] - period.offset;
        const span = spans[spanAt(edges, Math.max(start, period.from))];
        if (span === undefined) throw new Error('An entry is in no span.');
        span.entries += entries;
        if (priority > 0) span.byPriority[priority - 1] = (span.byPriority[priority - 1] ?? 0) + entries;
      }
    }
    return spans;
  },
};

/** Returns the groups of the part of the period that is between two clock changes. */
async function groupsOf(
  tx: ReadTx,
  asked: SeriesAsked,
  edges: readonly Instant[],
  { from, to, offset: clockOffset }: Period,
): Promise<readonly GroupRow[]> {
  const { every, isByPriority, ...selection } = asked;
  const page = { sortBy: 'id', order: 'asc', limit: 0, offset: 0, now: to } as const;
  const listing = await seenListing(tx, { ...selection, filter: { ...asked.filter, from, to }, ...page });
  if (listing === undefined) return [];
  const { shape: plain, args } = shapeAndArgs(listing);
  const areWholeHours = edges.every((edge) => edge <= from || edge >= to || edge % hourMs === 0);
  if (areWholeHours && !isByPriority && !plain.ofUser && !isNarrowed(plain))
    return tx.all(fromCounts({ ...plain, every, isByPriority }), { ...args, ...hourPiecesOf(from, to), clockOffset });
  const range = await countEntries(tx, plain, args);
  const shape = withSparseness(await withSearchFrequency(tx, plain, args), range, 'all');
  return tx.all(fromEntries({ ...shape, every, isByPriority }), { ...args, ...range, clockOffset });
}
