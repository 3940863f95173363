// The rules of a contact cycle: which number is tried next, how often, at what interval, and when the cycle ends. Pure.

import type { TollHold } from '../channels/toll-limits.ts';
import type { ContactNumber, Person } from '../people/person.ts';
import { isFree } from './busy-lines.ts';
import { type AttemptOutcome, type CallAnswer, type Cycle, type CycleHold, type NewAttempt, noWait } from './call.ts';
import type { CallContext } from './decision-context.ts';
import { numberContext, tollHoldOf } from './decision-context.ts';
import { callNumbers, numbersOf, unverifiedText } from './usable-numbers.ts';

export type CycleStep = { readonly cycle: Cycle; readonly attempt?: NewAttempt };

/** Cycles held for a line are woken when it is free; this interval is the fallback if the wake-up is lost. */
const recheckMs = 60_000;
/** The interval between attempts while no provider of the channel works; the first that works again wakes the cycle. */
const channelRetryMs = 60_000;
/** How long a held cycle keeps the next level from being called. */
const mostHeldMs = 60_000;

/** The person of a cycle, and the group and level of the call they are called for. */
export type Contact = Pick<Cycle, 'userId' | 'groupId' | 'level' | 'isRelief'>;

export function newCycle(id: number, contact: Contact): Cycle {
  return {
    id,
    ...contact,
    isNotice: false,
    phase: 'attempting',
    numberId: undefined,
    tries: 0,
    unanswered: 0,
    laters: 0,
    attempts: 0,
    wasReached: false,
    lastAttemptAt: undefined,
    isOwed: false,
    isExtra: false,
    heldSince: undefined,
    ...noWait,
    reason: '',
  };
}

/**
 * Makes the next attempt at the current number of the cycle, or at the next usable one. Holds the cycle if the cap is
 * reached or the line is in use.
 */
export function attemptNow(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  const usable = callNumbers(cycle.userId, numberContext(context), now);
  const current = usable.find(({ id }) => id === cycle.numberId);
  const number = current ?? nextNumber(cycle, context, now);
  if (number === undefined) return failed(cycle, context);
  const at = number === current ? cycle : { ...cycle, numberId: number.id, tries: 0, unanswered: 0 };
  const toll = tollHoldOf(cycle.userId, number, context, now);
  if (toll !== undefined) return beyondLimit(cycle, at, toll, context, now);
  const heldUntil = heldBackUntil(cycle.userId, context, now);
  if (heldUntil !== undefined) {
    const throttled = `throttled until ${new Date(heldUntil).toISOString()}`;
    return heldBack(cycle, at, { until: heldUntil, hold: 'cap', reason: throttled }, now);
  }
  if (!isFree(cycle.userId, number, context.linesInUse))
    return heldBack(cycle, at, { until: now + recheckMs, hold: 'line', reason: lineInUse }, now);
  const attempts = cycle.attempts + 1;
  const begun = { phase: 'attempting', attempts, lastAttemptAt: now, isOwed: false, reason } as const;
  return {
    cycle: { ...at, ...noWait, heldSince: undefined, ...begun },
    attempt: attemptAt(at, number, attempts, reason),
  };
}

/** Tries the next number, or holds the cycle until the limit ends. */
function beyondLimit(
  cycle: Cycle,
  at: Cycle,
  { until, reason }: TollHold,
  context: CallContext,
  now: number,
): CycleStep {
  const next = nextNumber(at, context, now);
  if (next === undefined) return heldBack(cycle, at, { until, hold: 'toll', reason }, now);
  return attemptNow({ ...cycle, numberId: next.id, tries: 0, unanswered: 0 }, reason, context, now);
}

export function attemptAt(
  { id: cycleId, userId, groupId, isNotice }: Cycle,
  number: ContactNumber,
  attempt: number,
  reason: string,
): NewAttempt {
  return { cycleId, userId, groupId, isNotice, number, attempt, reason };
}

/** Advances the cycle after an attempt has ended: reached, try again, next number, or failed. */
export function afterAttempt(cycle: Cycle, outcome: AttemptOutcome, context: CallContext, now: number): CycleStep {
  const number = currentNumber(cycle, context);
  if (outcome.kind === 'reached') return afterReached({ ...cycle, wasReached: true, tries: 0 }, number, context, now);
  if (outcome.retry === 'channel-up') return withoutChannel(cycle, outcome.reason, context, now);
  const tries = cycle.tries + 1;
  if (number === undefined || outcome.retry === 'never' || tries >= number.countTry)
    return toNextNumber(cycle, outcome.reason, context, now);
  const due = retryAt(number, outcome, now);
  return { cycle: { ...cycle, ...noWait, phase: 'pausing', pause: 'retry', tries, due, reason: outcome.reason } };
}

/** The message had counted as reached, and nobody has it: the next number is tried at once. */
export function afterBounce(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  return toNextNumber({ ...cycle, wasReached: false }, reason, context, now);
}

/** Tries the next number, or keeps the last one until its channel works: nobody is given up because of a provider. */
function withoutChannel(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  if (nextNumber(cycle, context, now) !== undefined) return toNextNumber(cycle, reason, context, now);
  const due = now + channelRetryMs;
  return { cycle: { ...cycle, ...noWait, phase: 'held', hold: 'channel', heldSince: now, due, reason } };
}

/** Returns when a number is tried again: after its own pause, or a longer one that its provider has asked for. */
export function retryAt(
  { timeToRetrySeconds }: ContactNumber,
  { retryAfterSeconds = 0 }: { readonly retryAfterSeconds?: number },
  now: number,
): number {
  return now + Math.max(timeToRetrySeconds, retryAfterSeconds) * 1000;
}

/** The pause after the answer "call me later". */
const laterMs = 300_000;
/** How often a person is called back; asking for it once more counts as heard. */
const mostLaters = 2;

/** `hasMore`: not everything the call is for was announced to the person. */
export function afterAnswer(cycle: Cycle, answer: CallAnswer, hasMore: boolean, now: number): Cycle {
  const answered = { ...cycle, ...noWait, isOwed: cycle.isOwed && hasMore } as const;
  switch (answer) {
    case 'heard':
      return { ...answered, phase: 'acknowledged', reason: 'heard' };
    case 'decline':
      return { ...answered, phase: 'failed', reason: 'declined' };
    case 'later': {
      const laters = cycle.laters + 1;
      if (laters > mostLaters)
        return { ...answered, phase: 'acknowledged', reason: `heard: was called back ${mostLaters} times` };
      const due = now + laterMs;
      const reason = 'wants to be called later';
      return { ...answered, phase: 'pausing', pause: 'asked-later', laters, due, reason };
    }
  }
}

export function wantsLater({ pause }: Cycle): boolean {
  return pause === 'asked-later';
}

/**
 * Whether the next level waits for this open cycle. A person who is called back holds it once, and not for priority 1;
 * a throttled person, and one in a call that does not read these alarms, for a minute; one who cannot be called because a
 * channel is down or a toll limit is reached, never.
 */
export function holdsWay(cycle: Cycle, { causes, linesReadingAlso }: CallContext, now: number): boolean {
  if (wantsLater(cycle)) return causes.mostUrgent > 1 && cycle.laters <= 1;
  if (cycle.phase !== 'held') return true;
  if (isOutOfReach(cycle)) return false;
  if (cycle.hold === 'line' && linesReadingAlso?.has(cycle.userId)) return true;
  return now < (cycle.heldSince ?? now) + mostHeldMs;
}

/** Returns the reason of the next attempt of a cycle whose wait is over. */
export function reasonForNextAttempt(cycle: Cycle): string {
  if (waitsForLine(cycle)) return 'their line is free again';
  if (cycle.hold === 'channel') return 'the channel is tried again';
  if (cycle.phase === 'held') return 'no longer held back';
  return wantsLater(cycle) ? 'called later, as asked' : 'unanswered';
}

/**
 * Advances a cycle whose person was reached but did not answer: repeats the number `countAck` times, then the next
 * number.
 */
export function afterSilence(cycle: Cycle, context: CallContext, now: number): CycleStep {
  const number = currentNumber(cycle, context);
  const unanswered = cycle.unanswered + 1;
  const reason = 'reached, but not acknowledged';
  if (number === undefined || unanswered > number.countAck) return toNextNumber(cycle, reason, context, now);
  return attemptNow({ ...cycle, unanswered }, reason, context, now);
}

function afterReached(cycle: Cycle, number: ContactNumber | undefined, context: CallContext, now: number): CycleStep {
  if (number === undefined) return toNextNumber(cycle, 'the number does not exist any more', context, now);
  if (number.acksWhenReached) {
    return {
      cycle: { ...cycle, ...noWait, phase: 'acknowledged', reason: 'being reached counts as acknowledged' },
    };
  }
  const due = now + number.timeToAckSeconds * 1000;
  return { cycle: { ...cycle, ...noWait, phase: 'reached', due, reason: 'reached, awaiting acknowledgement' } };
}

function toNextNumber(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  const next = nextNumber(cycle, context, now);
  if (next === undefined) return { cycle: { ...cycle, ...noWait, phase: 'failed', reason } };
  return attemptNow({ ...cycle, numberId: next.id, tries: 0, unanswered: 0 }, reason, context, now);
}

type Hold = { readonly until: number; readonly hold: CycleHold; readonly reason: string };

/** Holds the cycle. Writes one row into the call history when the hold begins, and none while it lasts. */
function heldBack(before: Cycle, at: Cycle, { until, hold, reason }: Hold, now: number): CycleStep {
  const heldSince = before.hold === hold ? before.heldSince : now;
  const wayGoesOn = (heldSince ?? now) + mostHeldMs;
  const due = wayGoesOn > now ? Math.min(until, wayGoesOn) : until;
  const held: Cycle = { ...at, ...noWait, phase: 'held', due, hold, heldSince, reason };
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

/** Whether nothing can be delivered to the person at present: no provider works, or a toll limit is reached. */
export function isOutOfReach({ hold }: Cycle): boolean {
  return hold === 'channel' || hold === 'toll';
}

function failed(cycle: Cycle, context: CallContext): CycleStep {
  const person = context.snapshot.people.get(cycle.userId);
  const why = person === undefined ? 'does not exist any more' : withUnverified('no number can be used now', person);
  const reason = person !== undefined && numbersOf(person, context).length === 0 ? 'has no number' : why;
  // The reason says why they are not called, for an alarm that joined too.
  const over: Cycle = { ...cycle, ...noWait, phase: 'failed', isOwed: false, reason };
  if (cycle.attempts > 0) return { cycle: over };
  // A person without a usable number gets a row in the call history as well.
  return { cycle: over, attempt: notTried(over) };
}

function withUnverified(reason: string, person: Person): string {
  const unverified = unverifiedText(person);
  return unverified === '' ? reason : `${reason}: ${unverified}`;
}

export function notTried({ id: cycleId, userId, groupId, isNotice, hold, reason }: Cycle): NewAttempt {
  const outcome = hold === 'cap' || hold === 'toll' ? 'limited' : hold === 'line' ? 'busy' : 'undeliverable';
  return { cycleId, userId, groupId, isNotice, number: undefined, outcome, attempt: 0, reason };
}

function currentNumber({ userId, numberId }: Cycle, context: CallContext): ContactNumber | undefined {
  return numbersOf(context.snapshot.people.get(userId), context).find(({ id }) => id === numberId);
}

/** Returns the next number after the current one, in the order of the person's list, that rings them. */
function nextNumber({ userId, numberId }: Cycle, context: CallContext, now: number): ContactNumber | undefined {
  const order = numbersOf(context.snapshot.people.get(userId), context).map(({ id }) => id);
  const place = numberId === undefined ? -1 : order.indexOf(numberId);
  return callNumbers(userId, numberContext(context), now).find(({ id }) => order.indexOf(id) > place);
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
