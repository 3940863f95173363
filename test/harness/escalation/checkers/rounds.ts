// Checks of rounds: an alarm that is called for until somebody takes it is never silent for long.

import { numbersFor, peopleOf, rulesFor } from '../directory.ts';
import { isOpenAt, momentAt, shown } from '../trace.ts';
import type { View } from '../view.ts';

const second = 1_000;
const minute = 60 * second;

/** While a repeating alarm is open, the time between two attempts is at most the longest pause and the steps of one pass. */
export function roundsGoOn(view: View): readonly string[] {
  const { trace } = view;
  return [...trace.escalations.values()].flatMap((escalation) => {
    const { causeId, target, dueAt } = escalation;
    const cause = trace.causes.get(causeId);
    if (cause === undefined || !cause.asks || target.kind === 'last-resort') return [];
    const end = Math.min(cause.endedAt ?? trace.end, trace.end);
    const begins = [...trace.attempts.values()]
      .filter(
        ({ attempt }) => attempt.tries.some((one) => one.escalationId === escalation.id) && attempt.kind !== 'notice',
      )
      .map(({ attempt }) => attempt.begunAt);
    const instants = [dueAt, ...begins, end];
    return instants.slice(1).flatMap((to, place) => {
      const from = instants[place] as number;
      const bound = boundOf(view, causeId, from, to);
      if (bound === undefined || to - from <= bound) return [];
      if (!isReachable(view, escalation.id, from, from + bound)) return [];
      return [
        `alarm ${causeId} (escalation ${escalation.id}): nobody was called from ${shown(trace, from)} to ${shown(trace, to)}`,
      ];
    });
  });
}

/** Returns how long nobody may be called; undefined if the alarm does not repeat all the time. */
function boundOf({ trace }: View, causeId: number, from: number, to: number): number | undefined {
  const priorities = trace.causes.get(causeId)?.priority.during(from, to) ?? [];
  const policies = trace.policies.during(from, to);
  const rules = policies.flatMap((policy) => priorities.map((priority) => rulesFor(priority, policy)));
  if (rules.some((one) => !one?.untilAcknowledged)) return undefined;
  const pauseMs = Math.max(...rules.map((one) => one?.longestPauseSeconds ?? 0)) * second;
  // A rest or a call asked for later, five minutes; the time to answer; a provider that is tried again; a minute's wait.
  return pauseMs + 5 * minute + 3 * minute + 5 * minute + 2 * minute + trace.slackMs;
}

/** Whether during all of the span somebody of the group could have been called. */
function isReachable(view: View, escalationId: number, from: number, to: number): boolean {
  const { trace } = view;
  const escalation = trace.escalations.get(escalationId);
  if (escalation === undefined) return false;
  const priority = trace.causes.get(escalation.causeId)?.priority;
  if (priority === undefined || trace.snapshots.during(from, to).length > 3) return false;
  const [kind, id] = [escalation.target.kind, escalation.target.id];
  const first = kind === 'user' ? (`user ${id}` as const) : (`duty ${id}` as const);
  const samples = Array.from({ length: 40 }, (_, place) => from + (place * (to - from)) / 40);
  const people = peopleOf(first, momentAt(trace, from));
  return people.some((userId) =>
    samples.every((at) => {
      const moment = momentAt(trace, at);
      if (!peopleOf(first, moment).includes(userId) || !isOpenAt(trace.causes.get(escalation.causeId), at))
        return false;
      const [number] = numbersFor(userId, priority.at(at), moment).ring;
      const isUrgent = priority.at(at) === 1;
      if (number === undefined || !view.hasLine(number, isUrgent, at, at)) return false;
      if (view.limitsReached(userId, number, isUrgent, at, at).length > 0) return false;
      return !view.isBusy(userId, at, at) && (isUrgent || !view.isCapped(userId, at, at));
    }),
  );
}

/** A round begins when the alarm is more urgent than ever before, or when the pause is over; not each time its priority changes. */
export function roundsBeginForAReason(view: View): readonly string[] {
  const { trace } = view;
  return [...trace.escalations.values()].flatMap(({ causeId, states }) => {
    const entries = states.entries();
    const begun = entries.find(({ value }) => value.round > 0)?.at ?? trace.end;
    const priority = trace.causes.get(causeId)?.priority;
    return entries.slice(1).flatMap(({ at, value }, place) => {
      const before = entries[place]?.value;
      if (before === undefined || priority === undefined || value.round === before.round || before.round === 0)
        return [];
      const isOver = before.pausedUntil !== undefined && before.pausedUntil <= at;
      const seen = trace.slackMs > 5 * second ? [before.actedPriority ?? 0] : priority.during(begun, at - 1);
      const isNews = priority.at(at) < Math.min(...seen);
      if (value.round === before.round + 1 && (isOver || isNews)) return [];
      return [`alarm ${causeId}: round ${value.round} began at ${shown(trace, at)} without a reason`];
    });
  });
}

/** An alarm that is more urgent than ever before begins anew within the slack. */
export function moreUrgentBeginsARound({ trace }: View): readonly string[] {
  return [...trace.escalations.values()].flatMap(({ causeId, dueAt, states, target }) => {
    const cause = trace.causes.get(causeId);
    const entries = cause?.priority.entries() ?? [];
    return entries.slice(1).flatMap(({ at, value }, place) => {
      const before = Math.min(...entries.slice(0, place + 1).map((one) => one.value));
      const until = at + trace.slackMs;
      const isKept = (cause?.priority.during(at, until).length ?? 0) === 1;
      if (value >= before || at <= dueAt + trace.slackMs || until >= trace.end || !isKept) return [];
      const [first, last] = [states.at(at - 1), states.at(until)];
      const isOver = !isOpenAt(cause, until) || first.state === 'done' || last.state === 'done';
      if (isOver || target.kind === 'number' || at - 1 < states.since || last.round > first.round) return [];
      return [`alarm ${causeId}: no round began at ${shown(trace, at)}, when its priority became ${value}`];
    });
  });
}
