// Whether somebody could be reached for the last resort now, on the channels that are set up. Pure.

import { alarmCauses, type CallContext, peopleInReach } from './decision-context.ts';
import { isAnybodyCalled } from './forecast.ts';
import { canBeReached } from './usable-numbers.ts';

const lastResort = { kind: 'last-resort', id: 0 } as const;
const mostUrgent = 1;

export function isLastResortReachable(
  configuration: Pick<CallContext, 'snapshot' | 'policy' | 'lockedNumbers'>,
  now: number,
): boolean {
  const { snapshot, policy } = configuration;
  if (!isAnybodyCalled(lastResort, alarmCauses(mostUrgent, policy), configuration, now)) return false;
  const context = { ...configuration, priority: mostUrgent };
  return [...peopleInReach(lastResort, snapshot, policy)].some((id) => canBeReached(id, context, now));
}
