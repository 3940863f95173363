// What is left of a plan when some of its escalations have changed since it was made: nothing is done for those, because they are
// decided on again at once. Pure.

import type { TryFor } from '../../../domain/escalation/escalation.ts';
import type { Plan, PlannedAttempt } from './plan.ts';
import { storedTries } from './rows/attempt-rows.ts';
import type { EscalationRow } from './rows/escalation-rows.ts';

/** `rows`: the escalations of the plan whose causes are open, as they are now. */
export function withoutLost(plan: Plan, rows: ReadonlyMap<number, EscalationRow>): Plan {
  const lost = plan.changed.filter(({ escalation, version }) => rows.get(escalation.id)?.version !== version);
  const lostIds = new Set(lost.map(({ escalation }) => escalation.id));
  const lostCauses = new Set(lost.map(({ escalation }) => escalation.causeId));
  const isLeft = (escalationId: number): boolean => rows.has(escalationId) && !lostIds.has(escalationId);
  const changed = plan.changed.filter(({ escalation }) => !lostIds.has(escalation.id));
  const picked = new Set(
    changed.flatMap(({ escalation }) => escalation.picked.map(({ key, userId }) => `${key} ${userId}`)),
  );
  return {
    ...plan,
    changed,
    opened: plan.opened.filter(({ causeId }) => !lostCauses.has(causeId)),
    begin: plan.begin.flatMap((attempt) => triedFor(attempt, isLeft)),
    notCalled: plan.notCalled.flatMap((attempt) => triedFor(attempt, isLeft)),
    turns: plan.turns.filter(([groupId, userId]) => picked.has(`duty ${groupId} ${userId}`)),
    steps: plan.steps.map((step) => ({ ...step, escalationIds: step.escalationIds.filter(isLeft) })),
  };
}

/** The attempt for those of its escalations that are left, if there are any. */
function triedFor<Planned extends PlannedAttempt>(
  attempt: Planned,
  isLeft: (escalationId: number) => boolean,
): readonly Planned[] {
  const tries: readonly TryFor[] = attempt.tries.filter(({ escalationId }) => isLeft(escalationId));
  if (tries.length === attempt.tries.length) return [attempt];
  return tries.length === 0 ? [] : [{ ...attempt, tries, columns: { ...attempt.columns, tries: storedTries(tries) } }];
}
