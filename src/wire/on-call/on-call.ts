// The JSON of who is on duty and who could not be reached.

import { type Static, Type } from 'typebox';
import type { OnDuty } from '../../domain/on-call/on-duty.ts';
import type { Readiness } from '../../domain/on-call/readiness.ts';
import type { CallGroup } from '../../domain/people/call-group.ts';
import { printInstant } from '../date-time.ts';
import { idOrNull } from '../entry.ts';
import { uint } from '../paging.ts';

const group = { callGroupId: uint(), name: Type.String(), stationId: uint() };
const sentenceOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const onDuty = Type.Object({
  ...group,
  members: Type.Array(
    Type.Object({
      userId: uint(),
      user: Type.String(),
      relief: Type.Boolean(),
      via: Type.String({
        description: 'Why the user is on duty.',
        examples: ['team 5 "Night A" by weekly[0] of schedule 9 "Pumps programme"'],
      }),
    }),
    { description: 'Regular members first, then relief members.' },
  ),
  passedOver: Type.Array(
    Type.Object({
      userId: idOrNull('Null when a whole team is missing.'),
      user: sentenceOrNull('Their name.'),
      teamId: idOrNull('A team that is not there.'),
      reason: Type.String({ examples: ['off duty'] }),
    }),
  ),
  nobody: sentenceOrNull('Why nobody is on duty.'),
  locked: Type.Boolean({ description: 'An override locks the duty, so that nobody is called.' }),
  until: sentenceOrNull('When the schedule hands over; null: the group has none.'),
});

export const onCallSchema = Type.Object({ at: Type.String(), items: Type.Array(onDuty) });

type GroupName = Pick<CallGroup, 'id' | 'name' | 'stationId' | 'timeZone'>;

/** Times are printed in the zone of the group. */
export function printOnDuty(
  { id, name, stationId, timeZone }: GroupName,
  { members, passedOver, nobody, isLocked, until }: OnDuty,
  userNames: ReadonlyMap<number, string>,
): Static<typeof onDuty> {
  return {
    callGroupId: id,
    name,
    stationId,
    members: members.map(({ userId, relief, via }) => ({ userId, user: userNames.get(userId) ?? '', relief, via })),
    passedOver: passedOver.map(({ userId = null, teamId = null, reason }) => ({
      userId,
      user: userId === null ? null : (userNames.get(userId) ?? ''),
      teamId,
      reason,
    })),
    nobody: nobody ?? null,
    locked: isLocked,
    until: until === undefined ? null : printInstant(until, timeZone),
  };
}

const unready = Type.Object({
  ...group,
  reachable: Type.Boolean({ description: 'Whether at least one person on duty could be reached, relief included.' }),
  reasons: Type.Array(Type.String(), { examples: [['user 3 "ana" has no number']] }),
});

export const readinessSchema = Type.Object({ at: Type.String(), items: Type.Array(unready) });

export function printReadiness(group: GroupName, { isReachable, reasons }: Readiness): Static<typeof unready> {
  const { id, name, stationId } = group;
  return { callGroupId: id, name, stationId, reachable: isReachable, reasons: [...reasons] };
}
