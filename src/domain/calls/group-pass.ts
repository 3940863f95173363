// How long one pass of a call group takes: everybody on duty tried once on all numbers, without an answer. Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import type { ContactNumber } from '../people/person.ts';
import { isSpoken } from './delivery.ts';
import { isCallable } from './usable-numbers.ts';

/** How long a telephone rings at most. */
const ringSeconds = 30;

type Passing = Pick<CallGroup, 'callMode' | 'teamIds' | 'scheduleId'>;

/** Returns the seconds of the longest pass: by a schedule one team is on duty at a time, without one all are. */
export function passSeconds(group: Passing, { teams, people, schedules }: PeopleSnapshot): number {
  const schedule = schedules.get(group.scheduleId ?? 0);
  const scheduled = [
    ...(schedule?.weekly.map(({ teamId }) => teamId) ?? []),
    ...(schedule?.rotations.flatMap(({ teamIds }) => teamIds) ?? []),
    ...(schedule?.overrides.flatMap(({ teamId }) => teamId ?? []) ?? []),
  ];
  const onDuty = schedule === undefined ? [group.teamIds] : [...new Set(scheduled)].map((id) => [id]);
  const passes = onDuty.map((teamIds) => {
    const members = teamIds.flatMap((id) => teams.get(id)?.members.filter(({ relief }) => !relief) ?? []);
    const each = [...new Set(members.map(({ userId }) => userId))].map((id) =>
      personSeconds(people.get(id)?.numbers ?? []),
    );
    return group.callMode === 'turn' ? each.reduce((sum, seconds) => sum + seconds, 0) : Math.max(0, ...each);
  });
  return Math.max(0, ...passes);
}

function personSeconds(numbers: readonly ContactNumber[]): number {
  const usable = numbers.filter(isCallable);
  const final = usable.filter((number) => number.final);
  return (final.length > 0 ? final : usable).reduce((sum, number) => sum + numberSeconds(number), 0);
}

/** A telephone rings in vain; what is written is delivered, and waits for its acknowledgement. */
function numberSeconds(number: ContactNumber): number {
  const { channel, countTry, timeToRetrySeconds, countAck, timeToAckSeconds, acksWhenReached } = number;
  if (isSpoken(channel)) return countTry * ringSeconds + (countTry - 1) * timeToRetrySeconds;
  return acksWhenReached ? 0 : (countAck + 1) * timeToAckSeconds;
}
