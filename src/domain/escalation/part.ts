// The part of one person in one escalation: derived from the directory and from the attempts and answers so far. Pure.

import type { CallPolicy } from '../calls/call.ts';
import { isSpoken } from '../calls/delivery.ts';
import type { ContactNumber } from '../people/person.ts';
import {
  type AttemptIndex,
  type Contacts,
  type GivenAnswer,
  isWithoutLine,
  type PersonCalls,
} from './attempt-index.ts';
import { type Attempt, type Cause, urgent } from './escalation.ts';
import type { Numbers } from './numbers.ts';
import type { Reason } from './reason.ts';
import type { DecisionTime } from './world.ts';

/** How long a person who cannot be called for a lack of lines, or of time, keeps the next level from being called. */
const mostHeldMs = 60_000;
/** How long a text that was handed over and is not confirmed keeps the next number from being called. */
const confirmMs = 15_000;
/** The pause after "call me later", and how often a person is called back. */
const laterMs = 300_000;
const mostLaters = 2;
/** The rest of a number after a ring for other alarms: its own pause between tries, within these bounds. */
const leastRestMs = 30_000;
const longestRestMs = 120_000;
/** The least time between two rings that do not wait for the rest of the number. */
const exemptEveryMs = 60_000;
/** How long the next call to a person gathers alarms after they took everything. */
const gatherMs = 30_000;

export type Part =
  /** Nothing more is owed in this round. */
  | { readonly state: 'heard' | 'declined' | 'failed'; readonly reason: Reason; readonly at: number }
  /** A phone rings, an answer is awaited, the number rests: nothing can be begun now. */
  | { readonly state: 'waits'; readonly holds: boolean; readonly reason: Reason }
  /** A call is wanted now. */
  | Wish
  /** A call is wanted, and something of ours is in the way. */
  | { readonly state: 'blocked'; readonly holds: boolean; readonly reason: Reason }
  /** No channel to the person works. */
  | { readonly state: 'out-of-reach'; readonly reason: Reason };

export type Wish = {
  readonly state: 'wants';
  readonly number: ContactNumber;
  /** When the last reason to wait was over. */
  readonly since: number;
  /** Whether the rest of the number is not waited for: the first call for an alarm of priority 1. */
  readonly isExempt: boolean;
  /** Undefined: as the level was entered. */
  readonly reason: Reason | undefined;
};

/** Whose part it is: of which cause, since when it counts, and when the level was entered. */
export type PartOf = {
  readonly cause: Cause;
  readonly userId: number;
  readonly since: number;
  readonly enteredAt: number;
};

/** Whether the next level waits for it. */
export function holdsLevel(part: Part): boolean {
  return part.state === 'wants' || ((part.state === 'waits' || part.state === 'blocked') && part.holds);
}

export function isOver({ state }: Part): boolean {
  return state === 'heard' || state === 'declined' || state === 'failed';
}

/**
 * Whether the person is called in this round for certain, although the next level does not wait for it: they were passed over, or
 * asked for later. Whom no channel reaches may never be.
 */
export function isOwedCall({ state }: Part): boolean {
  return state === 'wants' || state === 'waits' || state === 'blocked';
}

export type ToldOfFormer = { readonly number: ContactNumber; readonly at: number };

type Candidate = {
  readonly number: ContactNumber;
  readonly from: number;
  readonly isExempt: boolean;
  readonly reason: Reason | undefined;
};
/** A call; one in which the person asked to be called later is no try, and ends the failures in a row. */
type Try = Attempt & { readonly isAskedLater?: true };
type Later = { readonly until: number; readonly count: number } | undefined;

export class Parts {
  readonly #index: AttemptIndex;
  readonly #numbers: Numbers;
  readonly #time: DecisionTime;
  readonly #cap: CallPolicy['cap'];

  constructor(index: AttemptIndex, numbers: Numbers, time: DecisionTime, { cap }: Pick<CallPolicy, 'cap'>) {
    this.#index = index;
    this.#numbers = numbers;
    this.#time = time;
    this.#cap = cap;
  }

  of(part: PartOf): Part {
    const { cause, userId, since } = part;
    const contacts = this.#index.contacts(cause.id, userId);
    const answered = answeredSince(contacts.answers, since);
    if (answered !== undefined) return answered;
    const calls = triesSince(contacts, since);
    const isUnderWay = (one: Attempt): boolean => one.end === undefined && one.begunAt >= since && !isWithoutLine(one);
    if (contacts.calls.some((one) => isUnderWay(one) && !this.#isUnconfirmed(one)))
      return { state: 'waits', holds: true, reason: { code: 'rings' } };
    const later = laterOf(contacts, since);
    if (later !== undefined && !this.#time.hasPassed(later.until))
      return { state: 'waits', holds: cause.priority > urgent && later.count <= 1, reason: asked(later.until) };
    return this.#awaited(userId, calls) ?? this.#walk(part, calls, contacts, later);
  }

  /** Whether it is a text that was handed over, and that its provider takes long to confirm: meanwhile the next number is called. */
  #isUnconfirmed({ end, channel, hasLeft, begunAt }: Attempt): boolean {
    return end === undefined && !isSpoken(channel) && hasLeft && this.#time.hasPassed(begunAt + confirmMs);
  }

  /** Whether a call by this number counts as a try for the part: the alarm has not used it up, and nobody asked for later. */
  serves({ cause, userId, since }: PartOf, number: ContactNumber): boolean {
    const later = laterOf(this.#index.contacts(cause.id, userId), since);
    if (later !== undefined && !this.#time.hasPassed(later.until)) return false;
    if (!this.#numbers.calling(userId, cause.priority).some(({ id }) => id === number.id)) return false;
    return !isUsedUp(number, ofNumber(triesSince(this.#index.contacts(cause.id, userId), since), number.id));
  }

  /** A person who was reached has some time to answer. */
  #awaited(userId: number, calls: readonly Try[]): Part | undefined {
    for (const { end, numberId, isAskedLater } of calls) {
      if (end?.outcome !== 'reached' || isAskedLater) continue;
      const number = this.#numbers.find(userId, numberId);
      if (number === undefined) continue;
      const until = end.at + number.timeToAckSeconds * 1000;
      if (!this.#time.hasPassed(until))
        return { state: 'waits', holds: true, reason: { code: 'awaits-answer', until } };
    }
    return undefined;
  }

  /** The number whose text is to be answered, if it told of an occurrence before the newest one. */
  toldOfFormer({ cause: { id, raisedAgainAt }, userId, since }: PartOf): ToldOfFormer | undefined {
    if (raisedAgainAt === undefined) return undefined;
    const told = triesSince(this.#index.contacts(id, userId), since).findLast(({ end }) => end?.outcome === 'reached');
    if (told === undefined || told.begunAt >= raisedAgainAt || isSpoken(told.channel)) return undefined;
    const number = this.#numbers.find(userId, told.numberId);
    return number === undefined ? undefined : { number, at: told.begunAt };
  }

  /** The first number that can be used now and that this alarm has not used up. */
  #walk(part: PartOf, calls: readonly Try[], contacts: Contacts, later: Later): Part {
    const { cause, userId } = part;
    const numbers = this.#numbers.calling(userId, cause.priority);
    let givenUpAt = part.enteredAt;
    let inTheWay: Part | undefined;
    for (const number of numbers) {
      const own = ofNumber(calls, number.id);
      const unconfirmed = own.find((one) => this.#isUnconfirmed(one));
      if (unconfirmed !== undefined) {
        const holds = !this.#time.hasPassed(unconfirmed.begunAt + mostHeldMs);
        inTheWay ??= { state: 'waits', holds, reason: { code: 'rings' } };
        continue;
      }
      if (isUsedUp(number, own)) {
        givenUpAt = Math.max(givenUpAt, overAt(number, own));
        continue;
      }
      const candidate = this.#candidate(part, number, own, { givenUpAt, later, contacts, isAgain: calls.length > 0 });
      const found = this.#tryNow(part, candidate);
      const isPassedOver = found.state === 'out-of-reach' || (found.state === 'blocked' && !found.holds);
      if (!isPassedOver) return found;
      // Blocked says more than out of reach: it keeps the person owed the call for a reason of ours.
      if (inTheWay === undefined || (inTheWay.state === 'out-of-reach' && found.state === 'blocked')) inTheWay = found;
    }
    if (inTheWay !== undefined) return inTheWay;
    const reason: Reason = numbers.length === 0 ? this.#numbers.whyNone(userId) : { code: 'not-reached' };
    return { state: 'failed', at: givenUpAt, reason };
  }

  /** When the number may be called next. */
  #candidate(
    { cause, userId, enteredAt, since }: PartOf,
    number: ContactNumber,
    own: readonly Try[],
    { givenUpAt, later, contacts, isAgain }: { givenUpAt: number; later: Later; contacts: Contacts; isAgain: boolean },
  ): Candidate {
    const person = this.#index.ofPerson(userId);
    const reason = reasonAgain(own, isAgain);
    const start = Math.max(givenUpAt, later?.until ?? enteredAt, ownPause(number, own));
    const inRound = contacts.calls.filter(({ numberId, begunAt }) => numberId === number.id && begunAt >= since);
    const rested = Math.max(start, this.#restOf(number, inRound), gathered(person, cause));
    const isFirst = cause.priority <= urgent && !contacts.calls.some(({ hasLeft }) => hasLeft);
    if (!isFirst || rested <= start) return { number, from: rested, isExempt: false, reason };
    const exempt = Math.max(start, (person.exemptAt ?? Number.NEGATIVE_INFINITY) + exemptEveryMs);
    return exempt < rested
      ? { number, from: exempt, isExempt: true, reason }
      : { number, from: rested, isExempt: false, reason };
  }

  /** The end of the rest of the number after its last ring: for this alarm in this round, or for others. */
  #restOf({ id, timeToRetrySeconds }: ContactNumber, inRound: readonly Attempt[]): number {
    const { lastEndedAt } = this.#index.ofNumber(id);
    if (lastEndedAt === undefined) return Number.NEGATIVE_INFINITY;
    const isOwn = inRound.some(({ end }) => end?.at === lastEndedAt);
    if (isOwn) return lastEndedAt + timeToRetrySeconds * 1000;
    return lastEndedAt + Math.min(Math.max(timeToRetrySeconds * 1000, leastRestMs), longestRestMs);
  }

  #tryNow(part: PartOf, { number, from, isExempt, reason }: Candidate): Part {
    const { cause, userId } = part;
    const person = this.#index.ofPerson(userId);
    const { live } = person;
    const { withoutLineSince } = this.#index.ofNumber(number.id);
    if (withoutLineSince !== undefined) return this.#withoutLine(number, Math.max(part.enteredAt, withoutLineSince));
    if (isSpoken(number.channel) && live !== undefined && willRead(live, cause))
      return { state: 'waits', holds: true, reason: { code: 'in-call-that-reads-it' } };
    const bundled = this.#bundled(part, person);
    if (bundled !== undefined) return bundled;
    if (!this.#time.hasPassed(from)) return { state: 'waits', holds: true, reason: { code: 'rests', until: from } };
    const since = isSpoken(number.channel) ? Math.max(from, person.freeSince) : from;
    const inTheWay = this.#obstacle(cause, person, number, since);
    if (inTheWay !== undefined) {
      return { state: 'blocked', holds: !this.#time.hasPassed(since + mostHeldMs), reason: inTheWay };
    }
    const way = this.#numbers.wayTo(userId, number, cause.priority);
    if (way.kind === 'down') return { state: 'out-of-reach', reason: way.reason };
    if (way.kind === 'full') return this.#withoutLine(number, since);
    return { state: 'wants', number, since, isExempt, reason };
  }

  #withoutLine({ channel }: ContactNumber, since: number): Part {
    const reason = { code: 'no-free-line', channel, since } as const;
    return { state: 'blocked', holds: !this.#time.hasPassed(since + mostHeldMs), reason };
  }

  /** Another call of ours to the person or by the same telephone, or the cap. */
  #obstacle({ priority }: Cause, person: PersonCalls, number: ContactNumber, since: number): Reason | undefined {
    if (isSpoken(number.channel)) {
      if (person.live !== undefined) return { code: 'in-another-call', since };
      this.#time.noteWays();
      if (this.#index.isLineInUse(number)) return { code: 'line-in-use', since };
    }
    if (this.#index.ofNumber(number.id).isLive) return { code: 'line-in-use', since };
    const until = priority <= urgent ? undefined : this.throttledUntil(person, 0);
    return until === undefined ? undefined : { code: 'throttled', until };
  }

  /** The bundled message is the call of a throttled person; the rest of the number after it keeps nobody from being called. */
  #bundled({ cause: { priority }, enteredAt }: PartOf, person: PersonCalls): Part | undefined {
    const { bundledAt } = person;
    if (priority <= urgent || bundledAt === undefined || bundledAt < enteredAt) return undefined;
    const until = this.throttledUntil(person, 0);
    if (until === undefined) return undefined;
    const holds = !this.#time.hasPassed(bundledAt + mostHeldMs);
    return { state: 'blocked', holds, reason: { code: 'throttled', until } };
  }

  /** Whether a bundle may be sent: once in the window of the cap. */
  mayBundle({ bundledAt }: PersonCalls): boolean {
    if (this.#cap === undefined) return false;
    return bundledAt === undefined || this.#time.hasPassed(bundledAt + this.#cap.windowMs);
  }

  /** When the cap allows the next call; undefined: now. `begun`: those that this decision has begun. */
  throttledUntil({ counted }: PersonCalls, begun: number): number | undefined {
    if (this.#cap === undefined) return undefined;
    const { attempts, windowMs } = this.#cap;
    const ends = counted.map((at) => at + windowMs).filter((at) => !this.#time.hasPassed(at));
    if (ends.length + begun < attempts) return undefined;
    return ends.at(-Math.max(attempts - begun, 1)) ?? this.#time.engine + windowMs;
  }
}

function asked(until: number): Reason {
  return { code: 'asked-later', until };
}

/** Whether a person has heard or declined since then. */
export function answeredSince(answers: readonly GivenAnswer[], since: number): Part | undefined {
  const found = answers.filter(({ at }) => at >= since);
  const end = found.findLast(({ answer }) => answer !== 'later');
  if (end !== undefined)
    return { state: end.answer as 'heard' | 'declined', at: end.at, reason: { code: end.answer as 'heard' } };
  const laters = found.filter(({ answer }) => answer === 'later');
  const last = laters.at(-1);
  // Asking once more counts as heard.
  return laters.length > mostLaters && last !== undefined
    ? { state: 'heard', at: last.at, reason: { code: 'heard' } }
    : undefined;
}

function latersSince({ answers }: Contacts, since: number): readonly GivenAnswer[] {
  return answers.filter(({ answer, at }) => answer === 'later' && at >= since);
}

function laterOf(contacts: Contacts, since: number): Later {
  const laters = latersSince(contacts, since);
  const last = laters.at(-1);
  return last === undefined ? undefined : { until: last.at + laterMs, count: laters.length };
}

/** The calls that count since then; a ring until the person is called back is no try. */
function triesSince(contacts: Contacts, since: number): readonly Try[] {
  const calls = contacts.calls.filter(({ begunAt, end }) => begunAt >= since && end?.outcome !== 'cancelled');
  const laters = latersSince(contacts, since);
  if (laters.length === 0) return calls;
  const isAskedBy = ({ answers }: Attempt): boolean =>
    answers.some(({ causeId, at }) => laters.some((one) => one.at === at && one.causeId === causeId));
  return calls
    .filter(({ begunAt }) => !laters.some(({ at }) => begunAt > at && begunAt < at + laterMs))
    .map((call) => (isAskedBy(call) ? { ...call, isAskedLater: true } : call));
}

function ofNumber(calls: readonly Try[], numberId: number): readonly Try[] {
  return calls.filter((attempt) => attempt.numberId === numberId);
}

/** Whether the tries of a number are used up: it cannot work, it was not reached too often, or it was reached without an answer. */
function isUsedUp({ countTry, countAck }: ContactNumber, own: readonly Try[]): boolean {
  let failures = 0;
  let silences = 0;
  for (const { end, isAskedLater } of own) {
    if (end?.outcome === 'reached') {
      failures = 0;
      if (!isAskedLater) silences += 1;
    } else if (end?.outcome === 'failed') {
      if (end.isFinal) return true;
      if (end.counts) failures += 1;
    }
  }
  return failures >= countTry || silences > countAck;
}

/** When the last try of a number was over. */
function overAt({ timeToAckSeconds }: ContactNumber, own: readonly Try[]): number {
  const last = own.at(-1);
  if (last?.end === undefined) return Number.NEGATIVE_INFINITY;
  const { outcome, at } = last.end;
  return outcome === 'reached' && !last.isAskedLater ? at + timeToAckSeconds * 1000 : at;
}

/** The end of the pause after the last try of the number for this alarm. */
function ownPause({ timeToRetrySeconds, timeToAckSeconds }: ContactNumber, own: readonly Try[]): number {
  const last = own.at(-1);
  if (last?.end === undefined || last.isAskedLater) return Number.NEGATIVE_INFINITY;
  const { end } = last;
  const retryAt = Math.max(end.at + timeToRetrySeconds * 1000, end.notBefore ?? Number.NEGATIVE_INFINITY);
  if (end.outcome === 'reached') return Math.max(retryAt, end.at + timeToAckSeconds * 1000);
  // A provider's failure is no try: the number is called again as soon as there is a way.
  return end.counts ? retryAt : (end.notBefore ?? end.at);
}

function gathered({ tookAllAt }: PersonCalls, { priority }: Cause): number {
  return tookAllAt === undefined || priority <= urgent ? Number.NEGATIVE_INFINITY : tookAllAt + gatherMs;
}

/** A ringing phone will read every alarm; a conversation past the proof what was announced; a notice its own. */
function willRead(attempt: Attempt, { id }: Cause): boolean {
  const { kind, announced } = attempt;
  if (kind === 'notice' || isWithoutLine(attempt)) return false;
  return announced === undefined || announced.includes(id);
}

/** `isAgain`: whether the person was called for the alarm before, by this number or another. */
export function reasonAgain(own: readonly Try[], isAgain: boolean): Reason | undefined {
  const last = own.at(-1);
  if (last?.end === undefined) return isAgain ? { code: 'next-number' } : undefined;
  if (last.isAskedLater) return { code: 'called-later' };
  if (last.end.outcome === 'reached') return { code: 'not-acknowledged' };
  return { code: last.end.counts ? 'unanswered' : 'tried-again' };
}
