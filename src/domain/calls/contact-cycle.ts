// The rules of a contact cycle: which number is tried next, how often, at what interval, and when the cycle ends. Pure.

import { dutyAt } from '../on-call/duty.ts';
import type { ContactNumber, Person } from '../people/person.ts';
import { isFree } from './busy-lines.ts';
import { type AttemptOutcome, type CallAnswer, type Cycle, type CycleHold, type NewAttempt, noWait } from './call.ts';
import type { CallContext } from './decision-context.ts';

export type CycleStep = { readonly cycle: Cycle; readonly attempt?: NewAttempt };

/** Cycles held for a line are woken when it is free; this interval is the fallback if the wake-up is lost. */
const recheckMs = 60_000;

/** The person of a cycle, and the group and level of the call they are called for. */
export type Contact = Pick<Cycle, 'userId' | 'groupId' | 'level' | 'isRelief'>;

/** The number of a person without numbers when the simulator is enabled. */
const simulatedNumber: Omit<ContactNumber, 'id'> = {
  channel: 'simulator',
  address: 'simulated phone',
  valid: true,
  verified: true,
  final: true,
  countTry: 2,
  timeToRetrySeconds: 60,
  countAck: 1,
  timeToAckSeconds: 120,
  acksWhenReached: false,
  scheduleId: undefined,
};

export function newCycle(id: number, contact: Contact): Cycle {
  return {
    id,
    ...contact,
    phase: 'attempting',
    numberId: undefined,
    tries: 0,
    unanswered: 0,
    attempts: 0,
    wasReached: false,
    ...noWait,
    reason: '',
  };
}

/**
 * Makes the next attempt at the current number of the cycle, or at the next usable one. Holds the cycle if the cap is
 * reached or the line is in use.
 */
export function attemptNow(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  const numbers = numbersOf(context.snapshot.people.get(cycle.userId), context);
  const current = numbers.find(({ id }) => id === cycle.numberId);
  const number =
    current !== undefined && isUsable(current, context, now) ? current : nextUsable(numbers, cycle, context, now);
  if (number === undefined) return failed(cycle, numbers, context);
  const at = number === current ? cycle : { ...cycle, numberId: number.id, tries: 0, unanswered: 0 };
  const heldUntil = heldBackUntil(cycle.userId, context, now);
  if (heldUntil !== undefined) return heldBack(cycle, at, heldUntil, 'cap');
  if (!isFree(cycle.userId, number, context.linesInUse)) return heldBack(cycle, at, now + recheckMs, 'line');
  const attempts = cycle.attempts + 1;
  return {
    cycle: { ...at, ...noWait, phase: 'attempting', attempts, reason },
    attempt: { cycleId: cycle.id, userId: cycle.userId, groupId: cycle.groupId, number, attempt: attempts, reason },
  };
}

/** Advances the cycle after an attempt has ended: reached, try again, next number, or failed. */
export function afterAttempt(cycle: Cycle, outcome: AttemptOutcome, context: CallContext, now: number): CycleStep {
  const number = numbersOf(context.snapshot.people.get(cycle.userId), context).find(({ id }) => id === cycle.numberId);
  if (outcome.kind === 'reached') return afterReached({ ...cycle, wasReached: true, tries: 0 }, number, context, now);
  const tries = cycle.tries + 1;
  if (number === undefined || outcome.retry === 'never' || tries >= number.countTry)
    return toNextNumber(cycle, outcome.reason, context, now);
  const due = now + number.timeToRetrySeconds * 1000;
  return { cycle: { ...cycle, ...noWait, phase: 'pausing', pause: 'retry', tries, due, reason: outcome.reason } };
}

/** The pause after the answer "call me later". */
const laterMs = 300_000;

export function afterAnswer(cycle: Cycle, answer: CallAnswer, now: number): Cycle {
  switch (answer) {
    case 'heard':
      return { ...cycle, ...noWait, phase: 'acknowledged', reason: 'heard' };
    case 'decline':
      return { ...cycle, ...noWait, phase: 'failed', reason: 'declined' };
    case 'later':
      return {
        ...cycle,
        ...noWait,
        phase: 'pausing',
        pause: 'asked-later',
        due: now + laterMs,
        reason: 'wants to be called later',
      };
  }
}

export function wantsLater({ pause }: Cycle): boolean {
  return pause === 'asked-later';
}

/** Returns the reason of the next attempt of a cycle whose wait is over. */
export function reasonForNextAttempt(cycle: Cycle): string {
  if (waitsForLine(cycle)) return 'their line is free again';
  if (cycle.phase === 'held') return 'no longer held back';
  return wantsLater(cycle) ? 'called later, as asked' : 'unanswered';
}

/**
 * Advances a cycle whose person was reached but did not answer: repeats the number `countAck` times, then the next
 * number.
 */
export function afterSilence(cycle: Cycle, context: CallContext, now: number): CycleStep {
  const number = numbersOf(context.snapshot.people.get(cycle.userId), context).find(({ id }) => id === cycle.numberId);
  const unanswered = cycle.unanswered + 1;
  const reason = 'reached, but not acknowledged';
  if (number === undefined || unanswered > number.countAck) return toNextNumber(cycle, reason, context, now);
  return attemptNow({ ...cycle, unanswered }, reason, context, now);
}

function afterReached(cycle: Cycle, number: ContactNumber | undefined, context: CallContext, now: number): CycleStep {
  if (number?.acksWhenReached) {
    return {
      cycle: { ...cycle, ...noWait, phase: 'acknowledged', reason: 'being reached counts as acknowledged' },
    };
  }
  if (!number?.final) return toNextNumber(cycle, 'not the last word: the next number is called as well', context, now);
  const due = now + number.timeToAckSeconds * 1000;
  return { cycle: { ...cycle, ...noWait, phase: 'reached', due, reason: 'reached, awaiting acknowledgement' } };
}

function toNextNumber(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  const numbers = numbersOf(context.snapshot.people.get(cycle.userId), context);
  const next = nextUsable(numbers, cycle, context, now);
  if (next === undefined) return { cycle: { ...cycle, ...noWait, phase: 'failed', reason } };
  return attemptNow({ ...cycle, numberId: next.id, tries: 0, unanswered: 0 }, reason, context, now);
}

/** Holds the cycle. Writes one row into the call history when the hold begins, and none while it lasts. */
function heldBack(before: Cycle, at: Cycle, due: number, hold: CycleHold): CycleStep {
  const reason = hold === 'line' ? lineInUse : `throttled until ${new Date(due).toISOString()}`;
  const held: Cycle = { ...at, ...noWait, phase: 'held', due, hold, reason };
  return isHeldAlike(before, held) ? { cycle: held } : { cycle: held, attempt: notTried(held) };
}

const lineInUse = 'waits: their line is in use by another call of ours';

/** Whether both are held for the same reason. */
export function isHeldAlike(before: Cycle, after: Cycle): boolean {
  return before.hold !== undefined && before.hold === after.hold;
}

export function waitsForLine({ hold }: Cycle): boolean {
  return hold === 'line';
}

function failed(cycle: Cycle, numbers: readonly ContactNumber[], { snapshot }: CallContext): CycleStep {
  const isKnown = snapshot.people.has(cycle.userId);
  const why = isKnown ? 'no number can be used now' : 'does not exist any more';
  const reason = isKnown && numbers.length === 0 ? 'has no number' : why;
  const over: Cycle = { ...cycle, ...noWait, phase: 'failed', reason };
  if (cycle.attempts > 0) return { cycle: over };
  // A person without a usable number gets a row in the call history as well.
  return { cycle: over, attempt: notTried(over) };
}

function notTried({ id: cycleId, userId, groupId, reason }: Cycle): NewAttempt {
  return { cycleId, userId, groupId, number: undefined, attempt: 0, reason };
}

/** Returns the numbers of a person, in order; if there are none and the simulator is enabled, the simulated phone. */
export function numbersOf(
  person: Person | undefined,
  { policy }: Pick<CallContext, 'policy'>,
): readonly ContactNumber[] {
  if (person === undefined) return [];
  return person.numbers.length === 0 && policy.hasSimulator ? [{ ...simulatedNumber, id: -person.id }] : person.numbers;
}

function nextUsable(
  numbers: readonly ContactNumber[],
  { numberId }: Cycle,
  context: CallContext,
  now: number,
): ContactNumber | undefined {
  const index = numbers.findIndex(({ id }) => id === numberId);
  return numbers.slice(index + 1).find((number) => isUsable(number, context, now));
}

/** Unverified numbers are never called: they may belong to somebody else. */
export function isUsable(
  { id, valid, verified, scheduleId }: ContactNumber,
  { snapshot, lockedNumbers }: Pick<CallContext, 'snapshot' | 'lockedNumbers'>,
  now: number,
): boolean {
  if (!valid || !verified || lockedNumbers?.has(id)) return false;
  const schedule = scheduleId === undefined ? undefined : snapshot.schedules.get(scheduleId);
  if (schedule === undefined) return true;
  const { holder } = dutyAt(schedule, now);
  return holder !== undefined && holder.kind !== 'locked';
}

/** Returns when the cap allows the next attempt; undefined if it does now. Priority 1 is exempt. */
function heldBackUntil(
  userId: number,
  { policy: { cap }, causes, recentAttempts }: CallContext,
  now: number,
): number | undefined {
  if (cap === undefined || causes.mostUrgent <= 1) return undefined;
  const recent = (recentAttempts.get(userId) ?? []).filter((at) => at > now - cap.windowMs);
  const oldest = recent.at(-cap.attempts);
  return oldest === undefined ? undefined : oldest + cap.windowMs;
}
