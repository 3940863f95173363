// Checks of how often telephones ring: the rest of a number, the exemption of priority 1, storms.

import { type AttemptTrace, shown, stateAt, type Trace } from '../trace.ts';
import type { View } from '../view.ts';
import { of } from './attempts.ts';

const second = 1_000;
const stormMs = 300 * second;
const mostInStorm = 6;
/** Deliveries to a number that begin together end together, within this time. */
const sameMomentMs = 3 * second;

/**
 * A number rests for its `timeToRetry` after a ring for the same alarms, and for 30 s to 120 s of it after one for others,
 * unless the first call for an alarm of priority 1 is exempt.
 */
export function numbersRest(view: View): readonly string[] {
  return byNumber(view).flatMap((calls) =>
    calls.flatMap((call, place) => {
      const before = calls.slice(0, place).findLast((one) => isRing(one, call.attempt.begunAt));
      if (before === undefined || call.attempt.isExempt || isMadeAgain(calls[place - 1])) return [];
      const restMs = restOf(view, call, calls.slice(0, place));
      const gap = call.attempt.begunAt - (before.attempt.end?.at ?? Number.POSITIVE_INFINITY);
      if (gap >= restMs) return [];
      return [
        `${of(view.trace, call)} began ${gap} ms after ${of(view.trace, before)}, which gives a rest of ${restMs} ms`,
      ];
    }),
  );
}

/** Whether it rang and had ended; one that its provider failed, or that was lost, imposes no rest for certain. */
function isRing({ attempt: { end }, leftAt }: AttemptTrace, at: number): boolean {
  if (leftAt === undefined || end === undefined || end.at > at) return false;
  return end.outcome !== 'failed' || end.counts;
}

/** Whether the call before was lost, or failed by its provider: it is made again. */
function isMadeAgain(before: AttemptTrace | undefined): boolean {
  const end = before?.attempt.end;
  return end?.outcome === 'failed' && !end.counts;
}

function restOf({ trace }: View, call: AttemptTrace, before: readonly AttemptTrace[]): number {
  const own = call.number.timeToRetrySeconds * second;
  const fromOthers = Math.min(Math.max(own, 30 * second), 120 * second);
  const rests = call.attempt.tries.map(({ causeId, escalationId }) => {
    const since = stateAt(trace, escalationId, call.attempt.begunAt)?.roundSince ?? 0;
    const last = before.findLast((one) => isRing(one, call.attempt.begunAt));
    const isSame =
      last !== undefined && last.attempt.begunAt >= since && last.attempt.tries.some((it) => it.causeId === causeId);
    return isSame ? own : fromOthers;
  });
  return Math.min(...rests);
}

/**
 * A number that the providers failed for is tried again when its channel works again, else after 15 s, doubling to 5 minutes with
 * each failure in a row since its channel last began to work, within half an hour.
 */
export function failuresRest({ trace }: View): readonly string[] {
  const byNumber = Map.groupBy(trace.attempts.values(), ({ attempt }) => attempt.numberId);
  return [...byNumber.values()].flatMap((all) =>
    all.flatMap((one) => {
      const { begunAt } = one.attempt;
      const failures = failuresInARow(trace, all, begunAt);
      const last = failures.at(-1);
      if (last === undefined || failures.some(({ isLost }) => isLost)) return [];
      const restMs = Math.min(15 * 2 ** (failures.length - 1), 300) * second - sameMomentMs;
      const gap = begunAt - endOf(last);
      if (gap >= restMs) return [];
      return [
        `${of(trace, one)} began ${gap} ms after ${of(trace, last)}, failure ${failures.length} of its providers in a row`,
      ];
    }),
  );
}

/** The last attempts to a number that its providers failed, since its channel last began to work. */
function failuresInARow(trace: Trace, ofNumber: readonly AttemptTrace[], at: number): readonly AttemptTrace[] {
  const ended = ofNumber.filter(({ attempt: { begunAt, end } }) => {
    return begunAt >= at - 30 * 60 * second && end !== undefined && end.at <= at && end.outcome !== 'cancelled';
  });
  const inOrder = ended.toSorted((one, other) => endOf(one) - endOf(other));
  const first = inOrder.findLastIndex((one) => {
    return !isMadeAgain(one) || hasRecovered(trace, one.attempt.channel, endOf(one), at);
  });
  return inOrder.slice(first + 1);
}

function endOf({ attempt: { end } }: AttemptTrace): number {
  return end?.at ?? Number.POSITIVE_INFINITY;
}

/** Whether a provider of the channel began to work again in the span. */
function hasRecovered({ channels, providers }: Trace, channel: string, from: number, to: number): boolean {
  const states = channels.during(from, to);
  const own = providers.filter((one) => one.channel === channel);
  return states.some((state, place) => {
    const before = states[place - 1];
    return before !== undefined && own.some(({ id }) => state.working.has(id) && !before.working.has(id));
  });
}

/** The exemption is for the first call to a person for an alarm of priority 1, and not within a minute of another one. */
export function exemptionsAreRare(view: View): readonly string[] {
  const { trace } = view;
  const exempt = [...trace.attempts.values()].filter(({ attempt }) => attempt.isExempt);
  const byPerson = Map.groupBy(exempt, ({ attempt }) => attempt.userId);
  return [...byPerson.values()].flatMap((calls) =>
    calls.flatMap((call, place) => {
      const { begunAt, tries, numberId } = call.attempt;
      const earlier = calls.slice(0, place);
      const sentences: string[] = [];
      const last = earlier.findLast((one) => one.leftAt !== undefined && one.attempt.numberId === numberId);
      if (last !== undefined && begunAt - last.attempt.begunAt < 60 * second)
        sentences.push(`${of(trace, call)} is exempt within a minute of ${of(trace, last)}`);
      const urgent = tries.filter(({ causeId }) => trace.causes.get(causeId)?.priority.at(begunAt) === 1);
      const isFirst = urgent.some(
        ({ causeId }) =>
          !earlier.some((one) => one.leftAt !== undefined && one.attempt.tries.some((it) => it.causeId === causeId)),
      );
      if (!isFirst) sentences.push(`${of(trace, call)} is exempt a second time, or for no alarm of priority 1`);
      return sentences;
    }),
  );
}

/** While many alarms come in and nobody answers, a person is rung six times in five minutes at most. */
export function stormsStayFewCalls(view: View): readonly string[] {
  return [...byNumber(view)].flatMap((calls) => {
    const rung = calls.filter(({ leftAt }) => leftAt !== undefined);
    const dense = rung.find((call, place) => {
      const last = rung[place + mostInStorm];
      return last !== undefined && last.attempt.begunAt - call.attempt.begunAt < stormMs;
    });
    if (dense === undefined) return [];
    return [
      `number ${dense.attempt.numberId} rang more than ${mostInStorm} times in the five minutes from ${shown(view.trace, dense.attempt.begunAt)}`,
    ];
  });
}

function byNumber({ trace }: View): readonly (readonly AttemptTrace[])[] {
  const calls = [...trace.attempts.values()].filter(({ attempt }) => attempt.kind === 'call');
  return [...Map.groupBy(calls, ({ attempt }) => attempt.numberId).values()];
}
