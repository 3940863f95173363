// How many entries a place has in a period, and between which ids they lie: from the counts of whole steps, and from rows
// at the edges.

import { sql } from 'kysely';
import { type Cover, coverOf } from '../domain/time-ladder.ts';
import { byShape, type HistoryArgs, type HistoryShape, inPlace } from './history-filter.ts';
import { type DatabaseKind, sqlStatement } from './statement.ts';
import type { ReadTx } from './store.ts';

/** Ids rise with time but for the clocks of several nodes, so all entries of a period lie between two of them. */
export type IdRange = { readonly minId: number; readonly maxId: number };
export type EntryCount = IdRange & { readonly total: number };

type StepArgs = HistoryArgs & { steps: string };
type CountRow = { piece: number; entries: number; min_id: number; max_id: number };

/** Ranges of steps, given as JSON, as a table `piece` with the columns `number, level, first, end_step`. */
export function stepRanges(json: string, kind: DatabaseKind) {
  return kind === 'sqlite'
    ? sql`(select key as number, value ->> 0 as level, value ->> 1 as first, value ->> 2 as end_step
        from json_each(${json})) as piece`
    : sql`(select position - 1 as number, (value ->> 0)::bigint as level, (value ->> 1)::bigint as first,
        (value ->> 2)::bigint as end_step
        from json_array_elements(${json}::json) with ordinality as list (value, position)) as piece`;
}

/** The whole steps of a cover, then the hours of its edges. */
export function stepsJson({ whole, edges }: Cover): string {
  const ranges = [...whole, ...edges.map(({ hours }) => hours)];
  return JSON.stringify(ranges.map(({ level, first, end }) => [level, first, end]));
}

const statements = byShape((shape) => ({
  steps: sqlStatement<StepArgs, CountRow>(
    (args, kind) => sql`
    select piece.number as piece, sum(entries) as entries, min(min_id) as min_id, max(max_id) as max_id
    from ${stepRanges(args.steps, kind)} cross join history_counts as counted
    where counted.level = piece.level and counted.step >= piece.first and counted.step < piece.end_step
      and ${inPlace(shape, args, kind)}
    group by piece.number`,
  ),
  edge: sqlStatement<HistoryArgs & { minId: number; maxId: number }, { total: number }>(
    (args, kind) => sql`
    select count(*) as total from alarm_histories
    where id between ${args.minId} and ${args.maxId} and raised_at >= ${args.from} and raised_at < ${args.to}
      and ${inPlace(shape, args, kind)}`,
  ),
}));

/** The entries of the place in the period, exactly. */
export async function countEntries(tx: ReadTx, shape: HistoryShape, args: HistoryArgs): Promise<EntryCount> {
  const cover = coverOf(args.from, args.to);
  const { steps, edge } = statements({ ...shape, searched: 'none', ofUser: false, order: 'asc' });
  const rows = await tx.all(steps, { ...args, steps: stepsJson(cover) });
  let total = rows.filter(({ piece }) => piece < cover.whole.length).reduce((sum, { entries }) => sum + entries, 0);
  for (const { from, to, range } of edgesWithIds(cover, rows)) {
    total += (await tx.one(edge, { ...args, ...range, from, to }))?.total ?? 0;
  }
  return { total, ...rangeOf(rows) };
}

type Edge = { readonly from: number; readonly to: number; readonly range: IdRange };

/** The edges in which there is anything, with the ids it lies between. */
export function edgesWithIds({ whole, edges }: Cover, rows: readonly CountRow[]): readonly Edge[] {
  return edges.flatMap(({ from, to }, index) => {
    const row = rows.find(({ piece }) => piece === whole.length + index);
    return row === undefined ? [] : [{ from, to, range: rangeOf([row]) }];
  });
}

function rangeOf(rows: readonly CountRow[]): IdRange {
  return {
    minId: Math.min(...rows.map(({ min_id }) => min_id), Number.MAX_SAFE_INTEGER),
    maxId: Math.max(...rows.map(({ max_id }) => max_id), 0),
  };
}

/** The edges of a period with the ids that entries of the place have in them. */
export async function edgesOf(tx: ReadTx, shape: HistoryShape, args: HistoryArgs): Promise<readonly Edge[]> {
  const { edges } = coverOf(args.from, args.to);
  const { steps } = statements({ ...shape, searched: 'none', ofUser: false, order: 'asc' });
  const cover = { whole: [], edges };
  return edges.length === 0 ? [] : edgesWithIds(cover, await tx.all(steps, { ...args, steps: stepsJson(cover) }));
}
