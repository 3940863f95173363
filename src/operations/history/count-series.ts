// Counts how many alarms were raised in each span of a period, from the counts of whole hours where they tell it.

import { sql } from 'kysely';
import { type SpanName, spanAt, spanEdges, spanLengths } from '../../domain/history/series.ts';
import { hourMs } from '../../domain/history/time-buckets.ts';
import { civilClock, type Period } from '../../domain/on-call/civil-time.ts';
import { byShape, type DatabaseKind, sqlStatement } from '../../store/statement.ts';
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

/** Entries that were raised in the same span, or in the part of it before or after a clock change; `begins` names the period. */
type GroupRow = { begins: number; nth: number; priority: number; entries: number };

type SeriesShape = HistoryShape & { readonly every: SpanName; readonly isByPriority: boolean };
/** The periods of the zone without a clock change, as JSON. */
type ClockArgs = { readonly periods: string };

function clockRows(periods: string, kind: DatabaseKind) {
  const columns = ['begins', 'ends', 'clock_offset'].map((name, index) =>
    sql.raw(kind === 'sqlite' ? `value ->> ${index} as ${name}` : `(value ->> ${index})::bigint as ${name}`),
  );
  return kind === 'sqlite'
    ? sql`(select ${sql.join(columns)} from json_each(${periods})) as clock`
    : sql`(select ${sql.join(columns)} from json_array_elements(${periods}::json) as list (value)) as clock`;
}

/** The number of the span counted from 1970 by the local clock: whole numbers are divided to whole numbers. */
function nthSpan(at: string, every: SpanName) {
  return sql`(${sql.ref(at)} + clock_offset) / ${sql.lit(spanLengths[every])}`;
}

const fromEntries = byShape((shape: SeriesShape) =>
  sqlStatement<HistoryArgs & IdRange & ClockArgs, GroupRow>((args, kind) => {
    const priority = shape.isByPriority
      ? sql`case when priority < ${sql.lit(lastPriority)} then priority else ${sql.lit(lastPriority)} end`
      : sql`0`;
    return sql`select begins, ${nthSpan('raised_at', shape.every)} as nth, ${priority} as priority, count(*) as entries
      from (select raised_at, priority from ${table('alarm_histories')} where ${historyConditions(shape, args, kind)}) as found
      join ${clockRows(args.periods, kind)} on raised_at >= clock.begins and raised_at < clock.ends
      group by 1, 2, 3`;
  }),
);

const fromCounts = byShape((shape: SeriesShape) =>
  sqlStatement<HistoryArgs & Pieces & ClockArgs, GroupRow>((args, kind) => {
    const hours = sql`select step * ${sql.lit(hourMs)} as at, entries
      from ${countedIn('history_counts', args.whole, inLocation(shape, args, kind), kind)}`;
    return sql`select begins, ${nthSpan('at', shape.every)} as nth, 0 as priority, sum(entries) as entries
      from (${hours} union all select raised_at, 1 from ${entriesAt(shape, args, kind)}) as found
      join ${clockRows(args.periods, kind)} on at >= clock.begins and at < clock.ends
      group by 1, 2`;
  }),
);

export const countSeries: Query<SeriesAsked, readonly Span[]> = {
  name: 'count-series',
  async run(tx, asked) {
    const { every, timeZone, filter } = asked;
    const clock = civilClock(timeZone);
    const edges = spanEdges(every, filter.from, filter.to, clock);
    const periods = clock.periodsIn(filter.from, filter.to);
    const offsets = new Map(periods.map(({ from, offset }) => [from, offset]));
    const spans = edges.slice(0, -1).map((start) => ({ start, entries: 0, byPriority: [0, 0, 0, 0] }));
    for (const { begins, nth, priority, entries } of await groupsOf(tx, asked, edges, periods)) {
      const start = nth * spanLengths[every] - (offsets.get(begins) ?? 0);
      const span = spans[spanAt(edges, Math.max(start, begins))];
      if (span === undefined) throw new Error('An entry is in no span.');
      span.entries += entries;
      if (priority > 0) span.byPriority[priority - 1] = (span.byPriority[priority - 1] ?? 0) + entries;
    }
    return spans;
  },
};

async function groupsOf(
  tx: ReadTx,
  asked: SeriesAsked,
  edges: readonly Instant[],
  clockPeriods: readonly Period[],
): Promise<readonly GroupRow[]> {
  const { every, isByPriority, ...selection } = asked;
  const { from, to } = asked.filter;
  const page = { sortBy: 'id', order: 'asc', limit: 0, offset: 0, now: to } as const;
  const listing = await seenListing(tx, { ...selection, ...page });
  if (listing === undefined) return [];
  const { shape: plain, args } = shapeAndArgs(listing);
  const periods = JSON.stringify(clockPeriods.map((period) => [period.from, period.to, period.offset]));
  const areWholeHours = edges.every((edge) => edge <= from || edge >= to || edge % hourMs === 0);
  if (areWholeHours && !isByPriority && !plain.ofUser && !isNarrowed(plain))
    return tx.all(fromCounts({ ...plain, every, isByPriority }), { ...args, ...hourPiecesOf(from, to), periods });
  const range = await countEntries(tx, plain, args);
  const shape = withSparseness(await withSearchFrequency(tx, plain, args), range, 'all');
  return tx.all(fromEntries({ ...shape, every, isByPriority }), { ...args, ...range, periods });
}
