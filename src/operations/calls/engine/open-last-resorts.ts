// Opens the last resort as an escalation of its own for each alarm whose chain has come to its end.

import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Tx } from '../../../store/store.ts';
import type { Plan } from './plan.ts';
import { causeColumns, causeRows } from './rows/escalation-rows.ts';

export async function openLastResorts(tx: Tx, opened: Plan['opened']): Promise<void> {
  if (opened.length === 0) return;
  const due = new Map(opened.map(({ causeId, dueAt }) => [causeId, dueAt]));
  const causes = await tx.all(selectOpenCauses, { ids: JSON.stringify([...due.keys()]) });
  const known = new Set(causes.flatMap((row) => (row.target_kind === 'last-resort' ? [row.cause_id] : [])));
  const firsts = causes.filter(({ id, cause_id }) => id === cause_id && !known.has(cause_id));
  const ids = firsts.length === 0 ? [] : await tx.nextIds('call_causes', firsts.length);
  await tx.each(
    causeRows.insert,
    firsts.map((row, index) => ({
      ...row,
      id: ids[index] ?? 0,
      target_kind: 'last-resort',
      target_id: 0,
      due_at: due.get(row.id) ?? row.due_at,
      state: 'open',
      reason: null,
    })),
  );
}

const columns = Object.keys(causeColumns) as (keyof typeof causeColumns)[];

const selectOpenCauses = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(columns)
    .where(isOneOfIds('cause_id', args.ids, kind))
    .where('ended_at', 'is', null)
    .orderBy('id'),
);
