// Decides on some causes as if all were decided on: together with those that a decision on them concerns, because they share a person who
// is called or whose phone stops, a level that calls in turn, or an alarm. Pure.

import { decide } from '../decide.ts';
import type { Decision } from '../decision.ts';
import { type Attempt, type Cause, type Escalation, withoutFormerNotices } from '../escalation.ts';
import { pausesOf } from '../place.ts';
import type { DecisionTime, World } from '../world.ts';
import type { KnownCalling } from './known-calling.ts';

export type DecidedOn = {
  readonly causeIds: ReadonlySet<number>;
  readonly causes: readonly Cause[];
  readonly escalations: readonly Escalation[];
  readonly attempts: readonly Attempt[];
};

type Around = {
  readonly world: World;
  readonly underWay: readonly Attempt[];
  /** A new one for each time that it is decided. */
  readonly newTime: () => DecisionTime;
};

export function decideRelated(
  known: KnownCalling,
  begin: ReadonlySet<number>,
  { world, underWay, newTime }: Around,
): DecidedOn & { readonly decision: Decision } {
  const pauses = pausesOf(known.noted());
  const causeIds = new Set(begin);
  known.addRelated(causeIds);
  const people = known.peopleOf(causeIds);
  for (;;) {
    const among = causesAmong(known, causeIds);
    const attempts = withoutFormerNotices(known.attemptsTo(people, underWay), among.causes);
    const on = { causeIds, ...among, attempts };
    const decision = decide(world, on.causes, on.escalations, on.attempts, newTime(), { pauses });
    const size = causeIds.size;
    addConcerned(causeIds, decision, known, underWay);
    const isNew = causeIds.size > size;
    if (isNew) for (const userId of known.peopleOf(causeIds)) people.add(userId);
    const unknown = decision.outlooks.flatMap(({ userIds }) => [...userIds].filter((userId) => !people.has(userId)));
    for (const userId of unknown) people.add(userId);
    if (!isNew && !unknown.some((userId) => known.hasAttemptsTo(userId))) return { ...on, decision };
  }
}

function causesAmong(known: KnownCalling, causeIds: ReadonlySet<number>): Pick<DecidedOn, 'causes' | 'escalations'> {
  const found = [...causeIds].sort((one, other) => one - other).flatMap((id) => known.find(id) ?? []);
  return { causes: found.map(({ cause }) => cause), escalations: found.flatMap(({ escalations }) => escalations) };
}

/** A call is for everything that is open for its person, and stops only if nothing is. */
function addConcerned(
  causeIds: Set<number>,
  { begin, cancel, outlooks }: Decision,
  known: KnownCalling,
  underWay: readonly Attempt[],
): void {
  const stopped = new Set(cancel.map(({ attemptId }) => attemptId));
  const people = new Set([...begin, ...underWay.filter(({ id }) => stopped.has(id))].map(({ userId }) => userId));
  for (const userId of people) known.addCalling(causeIds, userId);
  for (const { turns } of outlooks) for (const level of turns) known.addInTurn(causeIds, level);
  known.addRelated(causeIds);
}
