// Whether somebody could be reached for the last resort now, on the channels that are set up. Pure.

import { Chains } from '../escalation/levels.ts';
import type { DecisionTime } from '../escalation/world.ts';
import type { Person } from '../people/person.ts';
import type { CallPolicy } from './call.ts';
import { canBeReached, type NumberContext } from './usable-numbers.ts';

const lastResort = { kind: 'last-resort', id: 0 } as const;
const mostUrgent = 1;

type Configuration = Pick<NumberContext, 'snapshot' | 'lockedNumbers'> & { readonly policy: CallPolicy };

/** Whether nobody can be reached, and somebody could if their numbers were verified. */
export function isLastResortUnverified(configuration: Configuration, time: DecisionTime): boolean {
  if (isLastResortReachable(configuration, time)) return false;
  const { snapshot } = configuration;
  const people = new Map([...snapshot.people].map(([id, person]) => [id, withVerified(person)]));
  return isLastResortReachable({ ...configuration, snapshot: { ...snapshot, people } }, time);
}

function withVerified(person: Person): Person {
  return { ...person, numbers: person.numbers.map((number) => ({ ...number, verified: true })) };
}

/** Whether it has somebody now, in any of its levels, who can be reached. */
export function isLastResortReachable(configuration: Configuration, time: DecisionTime): boolean {
  const { levels } = new Chains(configuration, time).of(lastResort);
  const context = { ...configuration, priority: mostUrgent };
  return levels.some(({ userIds }) => userIds.some((id) => canBeReached(id, context, time.civil)));
}
