// Whether somebody could be reached for the last resort now, on the channels that are set up. Pure.

import { isUsable, numbersOf } from './contact-cycle.ts';
import type { CallContext } from './decision-context.ts';
import { alarmCauses, peopleInReach } from './decision-context.ts';
import { isAnybodyCalled } from './forecast.ts';

const lastResort = { kind: 'last-resort', id: 0 } as const;
const mostUrgent = 1;

/** The channels that can deliver; `all` when the simulator serves the names that have no channel of their own. */
export type ChannelsUp = 'all' | readonly string[];

export function isLastResortReachable(
  configuration: Pick<CallContext, 'snapshot' | 'policy'>,
  channels: ChannelsUp,
  now: number,
): boolean {
  const { snapshot, policy } = configuration;
  if (!isAnybodyCalled(lastResort, alarmCauses(mostUrgent, policy), configuration, now)) return false;
  return [...peopleInReach(lastResort, snapshot, policy)].some((userId) =>
    numbersOf(snapshot.people.get(userId), configuration).some(
      (number) => isUsable(number, configuration, now) && (channels === 'all' || channels.includes(number.channel)),
    ),
  );
}
