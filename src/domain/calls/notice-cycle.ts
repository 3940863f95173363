// The rules of a notice: a number that is not final gets each alarm its person is called for, gathered to one message a
// minute, whatever becomes of the calls. Pure.

import type { TollHold } from '../channels/toll-limits.ts';
import { isFree } from './busy-lines.ts';
import { type AttemptOutcome, type Cycle, noWait } from './call.ts';
import { attemptAt, type Contact, type CycleStep, newCycle, notTried, retryAt } from './contact-cycle.ts';
import type { CallContext } from './decision-context.ts';
import { numberContext, tollHoldOf } from './decision-context.ts';
import { isUsable, noticeNumbers, numbersOf } from './usable-numbers.ts';

/** The least interval between two notices to one number. */
export const gatherMs = 60_000;

/** Returns the numbers of the person that get a notice. */
export function noticesFor(userId: number, context: CallContext, now: number): readonly number[] {
  return noticeNumbers(userId, numberContext(context), now).map(({ id }) => id);
}

export function newNotice(id: number, contact: Contact, numberId: number): Cycle {
  return { ...newCycle(id, contact), isNotice: true, numberId };
}

/** Sends the notice now; one that is spoken waits while a call of ours uses the telephone. */
export function sendNotice(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  const number = numberOf(cycle, context);
  if (number === undefined) return gaveUp(cycle, 'the number does not exist any more');
  if (!isUsable(number, numberContext(context), now)) return gaveUp(cycle, 'the number may not be used now');
  if (!isFree(cycle.userId, number, context.linesInUse)) return waiting(cycle, now + gatherMs);
  const toll = tollHoldOf(cycle.userId, number, context, now);
  if (toll !== undefined) return beyondLimit(cycle, toll);
  const attempts = cycle.attempts + 1;
  return {
    cycle: { ...cycle, ...noWait, phase: 'attempting', attempts, lastAttemptAt: now, reason },
    attempt: attemptAt(cycle, number, attempts, reason),
  };
}

/** The notice waits for the end of the limit, and a row of the call history says so. */
function beyondLimit(cycle: Cycle, { until, reason }: TollHold): CycleStep {
  const waits: Cycle = { ...cycle, ...noWait, phase: 'pausing', pause: 'retry', due: until, reason };
  return { cycle: waits, attempt: notTried({ ...waits, hold: 'toll' }) };
}

/** Advances the notice after its attempt: sent, with what came meanwhile gathered, or tried again. */
export function afterNotice(
  cycle: Cycle,
  outcome: AttemptOutcome,
  hasMore: boolean,
  context: CallContext,
  now: number,
): CycleStep {
  if (outcome.kind === 'reached') {
    const sent: Cycle = { ...cycle, ...noWait, phase: 'notified', tries: 0, wasReached: true, reason: 'sent' };
    return hasMore ? addToNotice(sent, context, now) : { cycle: sent };
  }
  if (outcome.retry === 'channel-up')
    return {
      cycle: { ...cycle, ...noWait, phase: 'pausing', pause: 'retry', due: now + gatherMs, reason: outcome.reason },
    };
  const tries = cycle.tries + 1;
  const number = numberOf(cycle, context);
  if (number === undefined || outcome.retry === 'never' || tries >= number.countTry)
    return gaveUp(cycle, outcome.reason);
  const due = retryAt(number, outcome, now);
  return { cycle: { ...cycle, ...noWait, phase: 'pausing', pause: 'retry', tries, due, reason: outcome.reason } };
}

/** Adds a new alarm to the notice: at once, or a minute after the last message. */
export function addToNotice(cycle: Cycle, context: CallContext, now: number): CycleStep {
  if (cycle.phase === 'attempting' || cycle.phase === 'pausing') return { cycle };
  const due = (cycle.lastAttemptAt ?? 0) + gatherMs;
  if (due <= now) return sendNotice({ ...cycle, tries: 0 }, 'another alarm', context, now);
  return waiting({ ...cycle, tries: 0 }, due);
}

function waiting(cycle: Cycle, due: number): CycleStep {
  const reason = 'gathers alarms for one message';
  return { cycle: { ...cycle, ...noWait, phase: 'pausing', pause: 'gathering', due, reason } };
}

function gaveUp(cycle: Cycle, reason: string): CycleStep {
  return { cycle: { ...cycle, ...noWait, phase: 'failed', reason } };
}

function numberOf({ userId, numberId }: Cycle, context: CallContext) {
  return numbersOf(context.snapshot.people.get(userId), context).find(({ id }) => id === numberId);
}
