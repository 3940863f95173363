// Carries out a decision of the engine: writes what changed, where nothing that it was decided on has changed meanwhile. What was
// decided on something else is left out, and decided again at once.

import type { Instant, Operation, Tx } from '../../../store/store.ts';
import { beginAttempts, noteNotCalled } from './begin-attempts.ts';
import { holdsCallingLease } from './calling-lease.ts';
import { cancelAttempts } from './cancel-attempts.ts';
import { openLastResorts } from './open-last-resorts.ts';
import type { Plan, PlannedEscalation } from './plan.ts';
import { callIdsOf } from './rows/call-ids.ts';
import {
  asks,
  type EscalationRow,
  endCauses,
  selectEscalations,
  selectEscalationsOfCauses,
} from './rows/escalation-rows.ts';
import { storeTurn } from './rows/turn-rows.ts';
import { writeEscalations } from './rows/write-escalations.ts';
import { appendSteps } from './steps.ts';
import { applyTroubles } from './troubles.ts';
import { withoutLost } from './unlost.ts';

type CarryOut = { readonly plan: Plan; readonly node: string };

/** `partly`: what it was decided on has changed since. `lease-lost`: another node decides now, so that nothing was carried out. */
export type CarriedOut = 'whole' | 'partly' | 'lease-lost';

export const carryOut: Operation<CarryOut, CarriedOut> = {
  name: 'carry-out-calls',
  async run(tx, now, { plan, node }) {
    if (!(await holdsCallingLease(tx, now, node))) return 'lease-lost';
    const rows = await presentRows(tx, plan);
    const callIds = await callIdsOf(tx, rows);
    const left = withoutLost(plan, rows);
    const began = await beginAttempts(tx, left, callIds);
    await writeEscalations(tx, left.changed, { rows, callIds, firstAttempts: began.first });
    await openLastResorts(tx, left.opened);
    await noteNotCalled(tx, left, callIds);
    await cancelAttempts(tx, now, left.cancel);
    for (const [groupId, userId] of left.turns) await storeTurn(tx, groupId, userId);
    await endDone(tx, now, left.changed, rows);
    await appendSteps(tx, now, left, { rows, callIds });
    await applyTroubles(tx, now, left.troubles);
    const isWhole = began.count === plan.begin.length && left.changed.length === plan.changed.length;
    return isWhole ? 'whole' : 'partly';
  },
};

/** The escalations of the plan whose causes are open, as they are now. */
async function presentRows(tx: Tx, { changed, begin, notCalled }: Plan): Promise<ReadonlyMap<number, EscalationRow>> {
  const ids = new Set(changed.map(({ escalation }) => escalation.id));
  for (const { tries } of [...begin, ...notCalled]) for (const { escalationId } of tries) ids.add(escalationId);
  if (ids.size === 0) return new Map();
  const rows = await tx.all(selectEscalations, { ids: JSON.stringify([...ids]) });
  return new Map(rows.flatMap((row) => (row.ended_at === null ? [[row.id, row]] : [])));
}

/** Ends the causes that nobody need take, when all their escalations are done. */
async function endDone(
  tx: Tx,
  now: Instant,
  changed: readonly PlannedEscalation[],
  rows: ReadonlyMap<number, EscalationRow>,
): Promise<void> {
  const done = changed.flatMap(({ escalation }) => {
    const row = rows.get(escalation.id);
    return escalation.state !== 'done' || row === undefined || asks(row) ? [] : [escalation];
  });
  if (done.length === 0) return;
  const causeIds = JSON.stringify([...new Set(done.map(({ causeId }) => causeId))]);
  const open = (await tx.all(selectEscalationsOfCauses, { causeIds })).filter(({ state }) => state !== 'done');
  const stillOpen = new Set(open.map(({ cause_id }) => cause_id));
  await endCauses(
    tx,
    done.flatMap(({ causeId, target, reason = { code: 'sent' } }) => {
      if (stillOpen.has(causeId)) return [];
      const by = target.kind === 'number' ? 'sent' : reason.code === 'heard' ? 'heard' : 'call';
      return [{ causeId, at: now, by, reason }];
    }),
  );
}
