// Whether somebody could be reached for the last resort now, on the channels that are set up. Pure.

import type { Person } from '../people/person.ts';
import { alarmCauses, type CallContext, peopleInReach } from './decision-context.ts';
import { isAnybodyCalled } from './forecast.ts';
import { canBeReached } from './usable-numbers.ts';

const lastResort = { kind: 'last-resort', id: 0 } as const;
const mostUrgent = 1;

type Configuration = Pick<CallContext, 'snapshot' | 'policy' | 'lockedNumbers'>;

/** Whether nobody can be reached, and somebody could if their numbers were verified. */
export function isLastResortUnverified(configuration: Configuration, now: number): boolean {
  if (isLastResortReachable(configuration, now)) return false;
  const { snapshot } = configuration;
  const people = new Map([...snapshot.people].map(([id, person]) => [id, withVerified(person)]));
  return isLastResortReachable({ ...configuration, snapshot: { ...snapshot, people } }, now);
}

function withVerified(person: Person): Person {
  return { ...person, numbers: person.numbers.map((number) => ({ ...number, verified: true })) };
}

export function isLastResortReachable(configuration: Configuration, now: number): boolean {
  const { snapshot, policy } = configuration;
  if (!isAnybodyCalled(lastResort, alarmCauses(mostUrgent, policy), configuration, now)) return false;
  const context = { ...configuration, priority: mostUrgent };
  return [...peopleInReach(lastResort, snapshot, policy)].some((id) => canBeReached(id, context, now));
}
