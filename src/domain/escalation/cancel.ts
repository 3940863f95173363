// Which attempts under way are stopped: those nobody is owed any more, and those to people and numbers that were removed. A
// conversation past the proof goes on. Pure.

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
};

export function cancellations(index: AttemptIndex, owed: Owed): readonly Cancellation[] {
  return index.live.flatMap((attempt) => {
    const reason = removalOf(attempt, owed.snapshot) ?? unwantedBecause(attempt, index, owed);
    return reason === undefined ? [] : [{ attemptId: attempt.id, reason }];
  });
}

function removalOf({ userId, numberId }: Attempt, { people }: PeopleSnapshot): Reason | undefined {
  const person = people.get(userId);
  if (person === undefined) return { code: 'person-removed' };
  return person.numbers.some(({ id }) => id === numberId) ? undefined : { code: 'number-removed' };
}

/** Why nobody is owed the call any more; undefined while it is wanted. */
function unwantedBecause(attempt: Attempt, index: AttemptIndex, { causes, done, people }: Owed): Reason | undefined {
  const { kind, userId, announced, tries, begunAt } = attempt;
  if (announced !== undefined || (kind !== 'notice' && people.has(userId))) return undefined;
  const endOf = ({ causeId, escalationId }: TryFor): Reason | undefined => {
    const cause = causes.get(causeId);
    if (cause === undefined || cause.ended !== undefined) return cause?.ended ?? { code: 'sent' };
    const reason = done.get(escalationId);
    if (reason !== undefined) return reason;
    if (kind === 'notice') return undefined;
    const answer = index.contacts(causeId, userId).answers.find((one) => one.answer !== 'later' && one.at >= begunAt);
    return answer === undefined ? undefined : { code: answer.answer as 'heard' };
  };
  const ends = tries.map(endOf);
  return ends.every((end) => end !== undefined) ? ends[0] : undefined;
}
