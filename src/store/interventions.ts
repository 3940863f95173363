// What each user acknowledged in a period, and how long that took.

import { sql } from 'kysely';
import { isFoundIn, searchWords } from '../domain/search.ts';
import { coverOf } from '../domain/time-ladder.ts';
import { edgesOf, stepRanges, stepsJson } from './history-counts.ts';
import { byShape, type HistoryArgs, type HistoryListing, inPlace, type Page, shapeAndArgs } from './history-filter.ts';
import { type DatabaseKind, idsIn, sqlStatement } from './statement.ts';
import type { Query, ReadTx } from './store.ts';

export type InterventionEntry = {
  readonly id: number;
  readonly user: string;
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

const statements = byShape((shape) => {
  const ofUser = (column: string, args: HistoryArgs) =>
    shape.ofUser ? sql`${sql.ref(column)} = ${args.userId}` : sql`1 = 1`;
  return {
    steps: sqlStatement<HistoryArgs & { steps: string }, Sums>(
      (args, kind) => sql`
      select user_id, sum(interventions) as interventions, sum(reaction_ms) as reaction_ms, sum(finished) as finished,
        sum(intervention_ms) as intervention_ms
      from ${stepRanges(args.steps, kind)} cross join intervention_counts as counted
      where counted.level = piece.level and counted.step >= piece.first and counted.step < piece.end_step
        and ${inPlace(shape, args, kind)} and ${ofUser('user_id', args)}
      group by user_id`,
    ),
    edge: sqlStatement<HistoryArgs & { minId: number; maxId: number }, Sums>(
      (args, kind) => sql`
      select ack_user_id as user_id, count(*) as interventions, sum(ack_at - raised_at) as reaction_ms,
        sum(case when reset_at >= ack_at then 1 else 0 end) as finished,
        sum(case when reset_at >= ack_at then reset_at - ack_at else 0 end) as intervention_ms
      from alarm_histories
      where id between ${args.minId} and ${args.maxId} and raised_at >= ${args.from} and raised_at < ${args.to}
        and ack_user_id is not null and ${inPlace(shape, args, kind)} and ${ofUser('ack_user_id', args)}
      group by ack_user_id`,
    ),
  };
});

/** Users are few, so all of them are added up, and the page is cut from that. */
export const listInterventions: Query<HistoryListing, Page<InterventionEntry>> = {
  name: 'list-interventions',
  async run(tx, listing) {
    // Nothing calls a group yet, so no group was called for anything.
    if (listing.filter.callGroupId !== undefined) return { items: [], total: 0 };
    const { shape, args } = shapeAndArgs({ ...listing, search: '' });
    const isSearched = searchWords(listing.search).beginning !== undefined;
    const all = (await addedUp(tx, shape, args)).toSorted(
      (a, b) => (a.user_id - b.user_id) * (shape.order === 'asc' ? 1 : -1),
    );
    const cut = <T>(rows: readonly T[]): readonly T[] => rows.slice(args.offset, args.offset + args.limit);
    if (!isSearched) return { items: await named(tx, cut(all)), total: all.length };
    const found = (await named(tx, all)).filter(({ user }) => isFoundIn(user, listing.search));
    return { items: cut(found), total: found.length };
  },
};

type Shape = ReturnType<typeof shapeAndArgs>['shape'];

async function addedUp(tx: ReadTx, shape: Shape, args: HistoryArgs): Promise<readonly Sums[]> {
  const { steps, edge } = statements(shape);
  const { whole } = coverOf(args.from, args.to);
  const rows = [...(await tx.all(steps, { ...args, steps: stepsJson({ whole, edges: [] }) }))];
  for (const { from, to, range } of await edgesOf(tx, shape, args)) {
    rows.push(...(await tx.all(edge, { ...args, ...range, from, to })));
  }
  const byUser = new Map<number, Sums>();
  for (const row of rows) byUser.set(row.user_id, sumOf(byUser.get(row.user_id), row));
  return [...byUser.values()].filter(({ interventions }) => interventions > 0);
}

function sumOf(a: Sums | undefined, b: Sums): Sums {
  if (a === undefined) return b;
  return {
    user_id: b.user_id,
    interventions: a.interventions + b.interventions,
    reaction_ms: a.reaction_ms + b.reaction_ms,
    finished: a.finished + b.finished,
    intervention_ms: a.intervention_ms + b.intervention_ms,
  };
}

/** With the name each user had at the newest acknowledgement: it may be gone from the directory. */
async function named(tx: ReadTx, sums: readonly Sums[]): Promise<readonly InterventionEntry[]> {
  const ids = JSON.stringify(sums.map(({ user_id }) => user_id));
  const rows = sums.length === 0 ? [] : await tx.all(selectNames, { ids });
  const names = new Map(rows.map(({ user_id, name }) => [user_id, name]));
  return sums.map((row) => ({
    id: row.user_id,
    user: names.get(row.user_id) ?? '',
    interventions: row.interventions,
    reactionMeanMs: row.reaction_ms / row.interventions,
    interventionMeanMs: row.finished === 0 ? 0 : row.intervention_ms / row.finished,
  }));
}

const selectNames = sqlStatement<{ ids: string }, { user_id: number; name: string }>(
  (args, kind: DatabaseKind) => sql`select user_id, (
      select ack_user from alarm_histories where ack_user_id = asked.user_id order by id desc limit 1) as name
    from (select value as user_id from ${idsIn(args.ids, kind)} as ids) as asked`,
);
