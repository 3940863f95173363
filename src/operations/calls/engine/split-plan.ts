// A plan that cannot be carried out as a whole, cut into the parts of single causes, so that one keeps none of the others from being
// called. Pure.

import type { Plan, PlannedAttempt } from './plan.ts';

/** `causeId`: undefined for what is no part of a single cause. */
type PlanPart = { readonly causeId: number | undefined; readonly plan: Plan };

/** An attempt for several causes is a part of the first of them. */
export function splitPlan(plan: Plan): readonly PlanPart[] {
  const attempts = [...plan.begin, ...plan.notCalled];
  const causeIds = new Set([...plan.changed.map(({ escalation }) => escalation.causeId), ...attempts.map(causeOf)]);
  const nothing = { changed: [], opened: [], begin: [], notCalled: [], cancel: [], turns: [], steps: [] };
  const none: Plan = { ...plan, ...nothing, troubles: { raise: [], end: [] } };
  const parts = [...causeIds].map((causeId) => {
    const isOfCause = (attempt: PlannedAttempt): boolean => causeOf(attempt) === causeId;
    const changed = plan.changed.filter(({ escalation }) => escalation.causeId === causeId);
    const ids = new Set(changed.map(({ escalation }) => escalation.id));
    const steps = plan.steps.map((step) => ({
      ...step,
      escalationIds: step.escalationIds.filter((id) => ids.has(id)),
    }));
    const opened = plan.opened.filter((one) => one.causeId === causeId);
    const begin = plan.begin.filter(isOfCause);
    return { causeId, plan: { ...none, changed, opened, begin, notCalled: plan.notCalled.filter(isOfCause), steps } };
  });
  const { cancel, turns, troubles } = plan;
  return [...parts, { causeId: undefined, plan: { ...none, cancel, turns, troubles } }];
}

function causeOf({ tries }: PlannedAttempt): number {
  return tries[0]?.causeId ?? 0;
}
