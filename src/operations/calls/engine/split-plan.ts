// A plan cut into parts: a large one, so that alarms that come in need not wait for all of it, and one that cannot be carried out as a
// whole into single causes, so that one keeps none of the others from being called. Pure.

import type { Plan, PlannedAttempt, PlannedEscalation } from './plan.ts';

/** So many escalations are written in a few milliseconds. */
const mostAtOnce = 200;

/**
 * Escalations first, then the attempts for them: between two parts everything is as if nobody had been called yet. Those of one cause
 * stay together.
 */
export function slicesOf(plan: Plan, most = mostAtOnce): readonly Plan[] {
  if (plan.changed.length <= most) return [plan];
  const slices: PlannedEscalation[][] = [];
  for (const ofCause of Map.groupBy(plan.changed, ({ escalation }) => escalation.causeId).values()) {
    const last = slices.at(-1);
    if (last === undefined || last.length >= most) slices.push([...ofCause]);
    else last.push(...ofCause);
  }
  const none = { opened: [], begin: [], notCalled: [], cancel: [], steps: [], troubles: { raise: [], end: [] } };
  const parts = slices.map((changed) => {
    const ids = new Set(changed.map(({ escalation }) => escalation.id));
    const causeIds = new Set(changed.map(({ escalation }) => escalation.causeId));
    const opened = plan.opened.filter(({ causeId }) => causeIds.has(causeId));
    const notCalled = plan.notCalled.filter((one) => causeIds.has(causeOf(one)));
    return { ...plan, ...none, changed, opened, notCalled, steps: stepsOf(plan, ids) };
  });
  const written = new Set(plan.changed.map(({ escalation }) => escalation.causeId));
  const opened = plan.opened.filter(({ causeId }) => !written.has(causeId));
  const notCalled = plan.notCalled.filter((one) => !written.has(causeOf(one)));
  return [...parts, { ...plan, changed: [], steps: [], opened, notCalled }];
}

function stepsOf({ steps }: Plan, ids: ReadonlySet<number>): Plan['steps'] {
  return steps.flatMap((step) => {
    const escalationIds = step.escalationIds.filter((id) => ids.has(id));
    return escalationIds.length === 0 ? [] : [{ ...step, escalationIds }];
  });
}

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
    const opened = plan.opened.filter((one) => one.causeId === causeId);
    const begin = plan.begin.filter(isOfCause);
    return {
      causeId,
      plan: { ...none, changed, opened, begin, notCalled: plan.notCalled.filter(isOfCause), steps: stepsOf(plan, ids) },
    };
  });
  const { cancel, turns, troubles } = plan;
  return [...parts, { causeId: undefined, plan: { ...none, cancel, turns, troubles } }];
}

function causeOf({ tries }: PlannedAttempt): number {
  return tries[0]?.causeId ?? 0;
}
