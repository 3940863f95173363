// Which attempts under way are stopped: those nobody is owed any more, those to people and numbers that were removed, and those
// not yet made to people who are not called any more. A conversation past the proof goes on. Pure.

import { isSpoken } from '../calls/delivery.ts';
import type { PeopleSnapshot } from '../people/call-group.ts';
import type { AttemptIndex } from './attempt-index.ts';
import type { Cancellation } from './decision.ts';
import type { Attempt, Cause, TryFor } from './escalation.ts';
import type { Reason } from './reason.ts';

type Owed = {
  readonly snapshot: PeopleSnapshot;
  readonly causes: ReadonlyMap<number, Cause>;
  /** By id of an escalation that is done: why. */
  readonly done: ReadonlyMap<number, Reason>;
  /** The people who are owed a call for some alarm. */
  readonly people: ReadonlySet<number>;
  /** The calls and notices that are owed. */
  readonly wanted: ReadonlySet<string>;
};

/** What is owed of a cause: a call to a person, or a notice to a number. */
export function wantedName(what: 'call' | 'notice', id: number, causeId: number): string {
  return `${what} ${id} ${causeId}`;
}

export function cancellations(index: AttemptIndex, owed: Owed): readonly Cancellation[] {
  return index.live.flatMap((attempt) => {
    const reason =
      removalOf(attempt, owed.snapshot) ??
      unwantedBecause(attempt, index, owed) ??
      notMadeBecause(attempt, index, owed);
    return reason === undefined ? [] : [{ attemptId: attempt.id, reason }];
  });
}

/** A number whose address was changed is another one: nobody's answer from the old one counts. */
function removalOf({ userId, numberId, channel, address }: Attempt, { people }: PeopleSnapshot): Reason | undefined {
  const person = people.get(userId);
  if (person === undefined) return { code: 'person-removed' };
  const number = person.numbers.find(({ id }) => id === numberId);
  return number?.channel === channel && number.address === address ? undefined : { code: 'number-removed' };
}

/** Why nobody is owed the call any more; undefined while it is wanted. */
function unwantedBecause(attempt: Attempt, index: AttemptIndex, { causes, done, people }: Owed): Reason | undefined {
  const { kind, userId, tries, begunAt } = attempt;
  if (isHeard(attempt) || (kind !== 'notice' && people.has(userId))) return undefined;
  const endOf = ({ causeId, escalationId }: TryFor): Reason | undefined => {
    const cause = causes.get(causeId);
    // One that a fault has set aside is not known here.
    if (cause === undefined) return undefined;
    if (cause.ended !== undefined) return cause.ended;
    const reason = done.get(escalationId);
    if (reason !== undefined) return reason;
    if (kind === 'notice') return undefined;
    const answer = index.contacts(causeId, userId).answers.find((one) => one.answer !== 'later' && one.at >= begunAt);
    return answer === undefined ? undefined : { code: answer.answer as 'heard' };
  };
  const ends = tries.map(endOf);
  return ends.every((end) => end !== undefined) ? ends[0] : undefined;
}

/** Whether the person hears or has what it announces: a conversation past the proof, a text that was sent. */
function isHeard({ announced, channel, hasLeft }: Attempt): boolean {
  return announced !== undefined && (isSpoken(channel) || hasLeft);
}

/** Why one that waits to be made is not made: its person is off duty, was replaced, left the team, or it is the turn of another. */
function notMadeBecause(attempt: Attempt, index: AttemptIndex, { wanted, causes }: Owed): Reason | undefined {
  const { kind, userId, numberId, isDue, tries } = attempt;
  const nameOf = ({ causeId }: TryFor): string =>
    kind === 'notice'
      ? wantedName('notice', numberId, index.standInOf(causeId))
      : wantedName('call', userId, index.standInOf(causeId));
  const isWanted = (one: TryFor): boolean => !causes.has(one.causeId) || wanted.has(nameOf(one));
  return isDue && !tries.some(isWanted) ? { code: 'not-to-be-called' } : undefined;
}
