// Writes the escalations that a decision changed, and from which attempt on they were called for.

import { updateRows } from '../../../../store/row-batch.ts';
import type { Tx } from '../../../../store/store.ts';
import type { PlannedEscalation } from '../plan.ts';
import type { CallIds } from './call-ids.ts';
import { causeRows, type EscalationRow, escalationRow } from './escalation-rows.ts';

type Writing = {
  readonly rows: ReadonlyMap<number, EscalationRow>;
  readonly callIds: CallIds;
  /** By id of an escalation: the first of the attempts that begin for it. */
  readonly firstAttempts: ReadonlyMap<number, number>;
};

export async function writeEscalations(
  tx: Tx,
  changed: readonly PlannedEscalation[],
  { rows, callIds, firstAttempts }: Writing,
): Promise<void> {
  const fromOf = (id: number): number | null => rows.get(id)?.attempts_from ?? firstAttempts.get(id) ?? null;
  const written = new Set(changed.map(({ escalation }) => escalation.id));
  await tx.each(
    causeRows.update,
    changed.map(({ escalation, version, earlier }) => {
      const { id } = escalation;
      const known = { call_id: callIds.get(id) ?? id, attempts_from: fromOf(id) };
      return escalationRow(escalation, { version, ...known, earlier: earlier ?? rows.get(id)?.earlier ?? '[]' });
    }),
  );
  const others = [...firstAttempts].filter(([id]) => !written.has(id) && rows.get(id)?.attempts_from === null);
  await tx.each(
    setAttemptsFrom,
    others.map(([id, attempts_from]) => ({ id, attempts_from })),
  );
}

const setAttemptsFrom = updateRows('call_causes', { id: 'int' } as const, { attempts_from: 'int' });
