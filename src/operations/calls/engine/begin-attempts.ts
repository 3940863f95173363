// Writes the attempts that a decision begins, and rows for people of a level who have no number that can be called.

import type { TryFor } from '../../../domain/escalation/escalation.ts';
import { reasonIn } from '../../../domain/escalation/words/catalogue.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Tx } from '../../../store/store.ts';
import { appendAudits } from '../../audit/append.ts';
import { attemptEntry } from '../../audit/attempt-entry.ts';
import { attemptRows } from '../attempts.ts';
import type { Plan } from './plan.ts';
import type { CallIds } from './rows/call-ids.ts';

type Began = {
  /** By id of an escalation: the first attempt that was begun for it. */
  readonly first: ReadonlyMap<number, number>;
  readonly count: number;
};

/** Begins attempts, but none to people who have answered, or whose attempt has ended, since. */
export async function beginAttempts(tx: Tx, plan: Plan, callIds: CallIds): Promise<Began> {
  const lost = await lostPeople(tx, plan);
  const wanted = plan.begin.filter(({ columns }) => !lost.has(columns.user_id));
  const ids = wanted.length === 0 ? [] : await tx.nextIds('call_attempts', wanted.length);
  const first = new Map<number, number>();
  const inserted = wanted.map(({ columns, tries }, index) => {
    const id = ids[index] ?? 0;
    for (const { escalationId } of tries) if (!first.has(escalationId)) first.set(escalationId, id);
    return { ...columns, id, call_id: callIdIn(tries, callIds), state: 'due', ended_at: null, outcome: null };
  });
  await tx.each(attemptRows.insert, inserted);
  return { first, count: wanted.length };
}

async function lostPeople(tx: Tx, { seen }: Plan): Promise<ReadonlySet<number>> {
  if (seen.length === 0) return new Set();
  const versions = new Map(seen);
  const rows = await tx.all(selectVersions, { ids: JSON.stringify([...versions.keys()]) });
  return new Set(rows.flatMap(({ id, user_id, version }) => (versions.get(id) === version ? [] : [user_id])));
}

const selectVersions = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(['id', 'user_id', 'version'])
    .where(isOneOfIds('id', args.ids, kind)),
);

function callIdIn(tries: readonly TryFor[], callIds: CallIds): number {
  return callIds.get(tries[0]?.escalationId ?? 0) ?? 0;
}

/** The call history shows them as attempts that failed. */
export async function noteNotCalled(
  tx: Tx,
  { notCalled, now }: Pick<Plan, 'notCalled' | 'now'>,
  callIds: CallIds,
): Promise<void> {
  if (notCalled.length === 0) return;
  const ids = await tx.nextIds('call_attempts', notCalled.length);
  const inserted = notCalled.map(({ columns, tries, outcome }, index) => ({
    ...columns,
    id: ids[index] ?? 0,
    call_id: callIdIn(tries, callIds),
    state: 'failed',
    ended_at: now,
    outcome,
  }));
  await tx.each(attemptRows.insert, inserted);
  await appendAudits(
    tx,
    inserted.map((row) => {
      const detail = reasonIn('en', JSON.parse(row.reason));
      return { at: now, ...attemptEntry(row, { ...row, detail, user: row.user_name }) };
    }),
  );
}
