// Notices: a number that is not final gets each alarm its person is called for, once, gathered to one message a minute. Pure.

import { isSpoken, lineOf } from '../calls/delivery.ts';
import type { ContactNumber } from '../people/person.ts';
import type { AttemptIndex } from './attempt-index.ts';
import { type Attempt, type Cause, type NewAttempt, type TryFor, urgent } from './escalation.ts';
import type { Numbers } from './numbers.ts';
import type { PersonScopes } from './related/person-scopes.ts';
import type { DecisionTime } from './world.ts';

/** The least interval between two notices to one number. */
const noticeEveryMs = 60_000;

/** A cause that a number gets a notice of. */
export type NoticeOwed = {
  readonly userId: number;
  readonly number: ContactNumber;
  /** Of the causes that are alike. */
  readonly tries: readonly [TryFor, ...TryFor[]];
  readonly priority: number;
};

/** Whether a notice of the cause was sent to the number, or cannot be. */
export function isNoticeOver({ number, tries: [{ causeId }] }: NoticeOwed, index: AttemptIndex): boolean {
  return isOver(number, causeId, index);
}

/** Whether a number of the person still gets a notice of the cause. */
export function owesNotice(userId: number, { id, priority }: Cause, numbers: Numbers, index: AttemptIndex): boolean {
  return numbers.notices(userId, priority).some((number) => !isOver(number, id, index));
}

function isOver(number: ContactNumber, causeId: number, index: AttemptIndex): boolean {
  const own = index.notices(number.id).filter(({ tries }) => tries.some((one) => one.causeId === causeId));
  const failures = own.filter(({ end }) => end?.outcome === 'failed' && end.counts);
  return own.some(isSent) || failures.some(({ end }) => end?.isFinal) || failures.length >= number.countTry;
}

function isSent({ end }: Attempt): boolean {
  return end?.outcome === 'reached';
}

type Sending = {
  readonly index: AttemptIndex;
  readonly numbers: Numbers;
  readonly time: DecisionTime;
  readonly scopes: PersonScopes;
};

/** The notices to send now, one for each number; `begun`: the calls that begin now and go before them. */
export function noticesFor(
  owed: readonly NoticeOwed[],
  { index, numbers, time, scopes }: Sending,
  begun: readonly NewAttempt[],
): readonly NewAttempt[] {
  const spoken = begun.filter(({ channel }) => isSpoken(channel));
  const people = new Set(spoken.map(({ userId }) => userId));
  const lines = new Set(spoken.map(({ channel, address, numberId }) => lineOf(channel, address, numberId)));
  const toNumber = (first: NoticeOwed, ofNumber: readonly NoticeOwed[]): readonly NewAttempt[] => {
    const { userId, number } = first;
    const sent = index.notices(number.id);
    const open = ofNumber.filter((one) => !isNoticeOver(one, index));
    if (open.length === 0 || sent.some(({ end }) => end === undefined)) return [];
    if (!time.hasPassed(nextNoticeAt(number, sent))) return [];
    const isBusy = people.has(userId) || index.ofPerson(userId).live !== undefined;
    const line = lineOf(number.channel, number.address, number.id);
    const isInUse = lines.has(line) || index.isLineInUse(number);
    time.noteWays();
    if (isSpoken(number.channel) && (isBusy || isInUse)) return [];
    const priority = Math.min(...open.map((one) => one.priority));
    const way = numbers.wayTo(userId, number, priority);
    if (way.kind !== 'free') return [];
    numbers.noteBegun(userId, number, way.providerId);
    if (isSpoken(number.channel)) {
      people.add(userId);
      lines.add(line);
    }
    const { id: numberId, channel, address } = number;
    const tries = open.flatMap((one) => one.tries);
    const fixed = {
      kind: 'notice',
      isUrgent: priority <= urgent,
      isExempt: false,
      reason: { code: 'notice' },
    } as const;
    return [{ ...fixed, userId, numberId, channel, address, providerId: way.providerId, tries }];
  };
  return [...Map.groupBy(owed, ({ number }) => number.id).values()].flatMap((ofNumber) => {
    const [first] = ofNumber;
    return first === undefined ? [] : scopes.of(first.userId, () => toNumber(first, ofNumber));
  });
}

/** A minute after the last one that was sent; after a failure, after the pause of the number. */
export function nextNoticeAt({ timeToRetrySeconds }: ContactNumber, sent: readonly Attempt[]): number {
  const last = sent.findLast(({ end }) => end?.outcome !== 'cancelled');
  if (last?.end === undefined) return Number.NEGATIVE_INFINITY;
  const { outcome, at, notBefore } = last.end;
  const gathered = last.begunAt + noticeEveryMs;
  return outcome === 'reached' ? gathered : Math.max(gathered, at + timeToRetrySeconds * 1000, notBefore ?? at);
}
