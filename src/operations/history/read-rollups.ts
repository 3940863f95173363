// Counts the entries of a location in a period and finds their id range, from the rollups of whole time buckets and
// from rows at the edges.

import { type RawBuilder, sql } from 'kysely';
import { coverOf, hourMs } from '../../domain/history/time-buckets.ts';
import { byShape, type DatabaseKind, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { ReadTx } from '../../store/store.ts';
import { type HistoryArgs, type HistoryShape, inLocation, inRange } from './filter.ts';

/** Ids ascend with time except for clock differences between nodes, so all entries of a period lie between two ids. */
export type IdRange = { readonly minId: number; readonly maxId: number };
type EntryCount = IdRange & { readonly total: number };

/** A period as JSON: the ranges of its whole time buckets, and the hours at its edges with their exact limits. */
export type Pieces = { readonly whole: string; readonly edges: string };

export function piecesOf(from: number, to: number): Pieces {
  const { whole, edges } = coverOf(from, to);
  return {
    whole: JSON.stringify(whole.map(({ level, first, end }) => [level, first, end])),
    edges: JSON.stringify(edges.map(({ hours, from, to }) => [hours.level, hours.first, hours.end, from, to])),
  };
}

/** As piecesOf, with whole hours alone. */
export function hourPiecesOf(from: number, to: number): Pieces {
  const [first, end] = [Math.ceil(from / hourMs), Math.floor(to / hourMs)];
  return { ...piecesOf(from, to), whole: JSON.stringify(first < end ? [[0, first, end]] : []) };
}

const pieceColumns = ['level', 'first', 'end_step', 'begins', 'ends'];

/** The pieces as a table `piece`; `begins` and `ends` are null for whole buckets. */
function pieceRows(json: string, kind: DatabaseKind) {
  const columns = pieceColumns.map((name, index) =>
    sql.raw(kind === 'sqlite' ? `value ->> ${index} as ${name}` : `(value ->> ${index})::bigint as ${name}`),
  );
  return kind === 'sqlite'
    ? sql`(select ${sql.join(columns)} from json_each(${json})) as piece`
    : sql`(select ${sql.join(columns)} from json_array_elements(${json}::json) as list (value)) as piece`;
}

/** The counts in the pieces that meet a condition. */
export function countedIn(
  counts: 'history_counts' | 'intervention_counts',
  pieces: string,
  condition: RawBuilder<unknown>,
  kind: DatabaseKind,
) {
  const from = table(counts);
  const inPiece = sql`${sql.ref(`${counts}.level`)} = piece.level and step >= piece.first and step < piece.end_step and ${condition}`;
  // PostgreSQL cannot know how few pieces there are, and would read the whole table once instead.
  return kind === 'sqlite'
    ? sql`${pieceRows(pieces, kind)} cross join ${from} where ${inPiece}`
    : sql`${pieceRows(pieces, kind)} cross join lateral (select * from ${from} where ${inPiece} offset 0) as counted`;
}

/** The edges that contain entries, with their id ranges, as a table `edge`. */
function edgesWithIds(edges: string, location: RawBuilder<unknown>, kind: DatabaseKind) {
  return sql`(select begins, ends, min(min_id) as min_id, max(max_id) as max_id
    from ${countedIn('history_counts', edges, location, kind)} group by begins, ends) as edge`;
}

/** The entries at the edges of a period. */
export function entriesAt(shape: HistoryShape, args: HistoryArgs & Pieces, kind: DatabaseKind) {
  const edges = edgesWithIds(args.edges, inLocation(shape, args, kind), kind);
  const inEdge = sql`${inRange(shape, args, [sql`edge.min_id`, sql`edge.max_id`], kind)}
    and raised_at >= edge.begins and raised_at < edge.ends`;
  return kind === 'sqlite'
    ? sql`${edges} cross join ${table('alarm_histories')} where ${inEdge}`
    : sql`${edges} cross join lateral (select * from ${table('alarm_histories')} where ${inEdge} offset 0) as entry`;
}

type CountRow = { total: number | null; min_id: number | null; max_id: number | null };

const countStatement = byShape((shape: HistoryShape) =>
  sqlStatement<HistoryArgs & Pieces, CountRow>((args, kind) => {
    const location = inLocation(shape, args, kind);
    return sql`
      select sum(entries) as total, min(min_id) as min_id, max(max_id) as max_id from (
        select entries, min_id, max_id from ${countedIn('history_counts', args.whole, location, kind)}
        union all select 1, id, id from ${entriesAt(shape, args, kind)}) as found`;
  }),
);

/** Conditions that the counts do not know. */
const uncounted = {
  searched: 'none',
  isCommon: false,
  isSparse: false,
  ofUser: false,
  ofGroup: false,
  ofAlarm: false,
  ofPriority: false,
} as const;

/** Looking an entry up takes about as long as reading so many that follow each other. */
const lookUpCost = 10;

/**
 * Decides how entries of a listed location are found. Looking them up by location takes as many steps as there are; going
 * through the ids in order takes more steps the fewer there are, until the wanted ones are found.
 */
export function withSparseness<S extends HistoryShape>(
  shape: S,
  { total, minId, maxId }: EntryCount,
  wanted: number | 'all',
): S {
  if (!shape.isList || shape.ofAlarm || shape.ofUser) return shape;
  const range = maxId - minId + 1;
  const readInOrder = wanted === 'all' ? range : Math.min(range, (wanted * range) / Math.max(total, 1));
  return { ...shape, isSparse: total * lookUpCost < readInOrder };
}

/** Counts the entries of the location in the period exactly. */
export async function countEntries(tx: ReadTx, shape: HistoryShape, args: HistoryArgs): Promise<EntryCount> {
  const count = countStatement({ ...shape, ...uncounted, order: 'asc' });
  const { total, min_id, max_id } = (await tx.one(count, { ...args, ...piecesOf(args.from, args.to) })) ?? {};
  return { total: total ?? 0, minId: min_id ?? Number.MAX_SAFE_INTEGER, maxId: max_id ?? 0 };
}
