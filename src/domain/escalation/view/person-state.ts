// The state of a person in a call: step, number of the try, when something happens next, and why. Pure.

import { callNumbers } from '../../calls/usable-numbers.ts';
import type { ContactNumber } from '../../people/person.ts';
import type { Attempt, LevelKey } from '../escalation.ts';
import { isOver, reasonAgain } from '../part.ts';
import type { PlacedPart } from '../place.ts';
import type { Reason } from '../reason.ts';
import type { DecisionTime, World } from '../world.ts';
import { type Clocks, reasonOnClock } from './clocks.ts';
import { type PersonStep, stepOf } from './person-step.ts';

export type PersonState = {
  readonly userId: number;
  /** Undefined for a notice to one number that nobody is called for. */
  readonly level: LevelKey | undefined;
  /** Whether it is about a number that only gets notices. */
  readonly isNotice: boolean;
  readonly step: PersonStep;
  readonly reason: Reason;
  readonly channel: string | undefined;
  /** The attempt under way. */
  readonly attemptId: number | undefined;
  /** The try of the present number and how many there are at most; undefined before the first and after the end. */
  readonly tries: { readonly number: number; readonly of: number } | undefined;
  /** By the server's clock. */
  readonly nextAt: number | undefined;
  readonly wasReached: boolean;
};

type Surroundings = { readonly world: World; readonly time: DecisionTime; readonly clocks: Clocks };

/** `calls`: those to the person, for whatever cause, oldest first. */
export function personState(placed: PlacedPart, calls: readonly Attempt[], around: Surroundings): PersonState {
  const { of, part, level } = placed;
  const own = calls.filter((call) => isTryFor(call, placed));
  const number = presentNumber(placed, own, around);
  const live = own.find(({ end }) => end === undefined);
  const shown = reasonOnClock(reasonOf(placed, own), around.clocks);
  const why = part.state === 'wants' ? shown : reasonOnClock(part.reason, around.clocks);
  return {
    userId: of.userId,
    level,
    isNotice: false,
    step: stepOf(part),
    reason: shown,
    channel: number?.channel ?? own.at(-1)?.channel,
    attemptId: live?.id,
    tries: isOver(part) || number === undefined ? undefined : triesOf(number, own, part.state === 'wants'),
    nextAt: 'until' in why ? why.until : undefined,
    wasReached: own.some(({ end }) => end?.outcome === 'reached'),
  };
}

/** Whether the call counts as a try for the alarm in its present round. */
function isTryFor({ begunAt, end, tries }: Attempt, { of: { cause, since } }: PlacedPart): boolean {
  return begunAt >= since && end?.outcome !== 'cancelled' && tries.some(({ causeId }) => causeId === cause.id);
}

/** The number that is called, or was called last, or would be called first. */
function presentNumber(
  { of: { userId, cause }, part }: PlacedPart,
  own: readonly Attempt[],
  { world: { snapshot, policy }, time }: Surroundings,
): ContactNumber | undefined {
  if (part.state === 'wants') return part.number;
  const last = own.at(-1);
  if (last !== undefined) return snapshot.people.get(userId)?.numbers.find(({ id }) => id === last.numberId);
  if (isOver(part)) return undefined;
  return callNumbers(userId, { snapshot, policy, priority: cause.priority }, time.civil)[0];
}

/** Tries in a row begin anew when the number was reached. */
function triesOf({ id, countTry }: ContactNumber, own: readonly Attempt[], isWanted: boolean): PersonState['tries'] {
  const ofNumber = own.filter(({ numberId, end }) => numberId === id && (end?.outcome !== 'failed' || end.counts));
  const reached = ofNumber.findLastIndex(
    ({ end }, index) => end?.outcome === 'reached' && (isWanted || index < ofNumber.length - 1),
  );
  const number = ofNumber.length - 1 - reached + (isWanted ? 1 : 0);
  return number === 0 ? undefined : { number, of: Math.max(number, countTry) };
}

/** Of a call that is wanted or under way: why it is made, for this alarm; otherwise why none is. */
function reasonOf({ of: { cause }, part, reason }: PlacedPart, own: readonly Attempt[]): Reason {
  if (part.state === 'wants') return part.reason ?? reason;
  if (part.reason.code !== 'rings') return part.reason;
  const live = own.findLast(({ end }) => end === undefined);
  const before = own
    .filter((call) => call !== live)
    .map((call) => (hasAskedLater(call, cause.id) ? { ...call, isAskedLater: true as const } : call));
  const ofNumber = before.filter(({ numberId }) => numberId === live?.numberId);
  return reasonAgain(ofNumber, before.length > 0) ?? reason;
}

function hasAskedLater({ answers }: Attempt, causeId: number): boolean {
  return answers.some((one) => one.causeId === causeId && one.answer === 'later');
}

/** The status of the interface, as in call histories: how the attempts to reach the person stand. */
export function statusOf({ step, wasReached }: Pick<PersonState, 'step' | 'wasReached'>): number {
  switch (step) {
    case 'calling':
    case 'retrying':
    case 'callBack':
    case 'gathering':
      return 1;
    case 'reached':
    case 'notified':
      return 3;
    case 'heard':
      return 5;
    case 'declined':
      return 6;
    case 'failed':
      return wasReached ? 6 : 4;
    default:
      return 2;
  }
}
