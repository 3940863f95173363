// A plan cut into parts: a large one, so that alarms that come in need not wait for all of it, and one that cannot be carried out as a
// whole into single causes, so that one keeps none of the others from being called. Pure.

import type { Plan, PlannedAttempt, PlannedEscalation } from './plan.ts';

/** So many escalations are written in a few milliseconds. */
const mostAtOnce = 200;

/**
 * Each part holds escalations, those of one cause together, and the attempts that begin for them, so that after each part everything
 * is as after a smaller decision. What is to stop stops first, and alarms for which somebody is called come before the others.
 */
export function slicesOf(plan: Plan, most = mostAtOnce): readonly Plan[] {
  if (plan.changed.length <= most) return [plan];
  const slices = slicesOfCauses(plan, most);
  const sliceOf = new Map(
    slices.flatMap((changed, index) => changed.map(({ escalation }) => [escalation.causeId, index] as const)),
  );
  // A call for causes of several parts begins with the last of them; one for causes that do not change, with the first.
  const begin = Map.groupBy(plan.begin, ({ tries }) =>
    Math.max(...tries.map(({ causeId }) => sliceOf.get(causeId) ?? 0)),
  );
  const none = { opened: [], notCalled: [], cancel: [], troubles: { raise: [], end: [] } };
  // What the first part stops has another version from then on.
  const stopped = new Set(plan.cancel.map(({ attemptId }) => attemptId));
  const unstopped = plan.seen.filter(([attemptId]) => !stopped.has(attemptId));
  const parts = slices.map((changed, index) => {
    const ids = new Set(changed.map(({ escalation }) => escalation.id));
    const isHere = (causeId: number): boolean => sliceOf.get(causeId) === index;
    const opened = plan.opened.filter(({ causeId }) => isHere(causeId));
    const notCalled = plan.notCalled.filter((one) => isHere(causeOf(one)));
    const cancel = index === 0 ? plan.cancel : [];
    const begun = begin.get(index) ?? [];
    const seen = begun.length === 0 ? [] : index === 0 ? plan.seen : unstopped;
    return { ...plan, ...none, changed, opened, notCalled, cancel, begin: begun, seen, steps: stepsOf(plan, ids) };
  });
  const opened = plan.opened.filter(({ causeId }) => !sliceOf.has(causeId));
  const notCalled = plan.notCalled.filter((one) => !sliceOf.has(causeOf(one)));
  return [...parts, { ...plan, changed: [], begin: [], cancel: [], steps: [], seen: [], opened, notCalled }];
}

function slicesOfCauses({ changed, begin }: Plan, most: number): readonly (readonly PlannedEscalation[])[] {
  const urgency = new Map<number, number>();
  for (const { tries, columns } of begin)
    for (const { causeId } of tries)
      urgency.set(causeId, Math.min(columns.priority, urgency.get(causeId) ?? columns.priority));
  const later = Number.MAX_SAFE_INTEGER;
  const causes = [...Map.groupBy(changed, ({ escalation }) => escalation.causeId)].toSorted(
    ([one], [other]) => (urgency.get(one) ?? later) - (urgency.get(other) ?? later),
  );
  const slices: PlannedEscalation[][] = [];
  for (const [, ofCause] of causes) {
    const last = slices.at(-1);
    if (last === undefined || last.length >= most) slices.push([...ofCause]);
    else last.push(...ofCause);
  }
  return slices;
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
