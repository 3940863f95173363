// What became of an alarm, for a person who answers too late or is told in a follow-up.

import type { AlarmFate } from '../../../domain/calls/words/alarm-fate.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { shownNameOf } from '../../../domain/people/person.ts';
import { visibilityOf } from '../../../domain/people/visibility.ts';
import type { AlarmRecord } from '../../alarms/record.ts';

type Acknowledged = Pick<AlarmRecord, 'ackUser' | 'ackUserId'>;

/** Returns what became of an alarm, as a person is told who may not see everybody. */
export function fateOf(alarm: Acknowledged | undefined, userId: number, snapshot: PeopleSnapshot): AlarmFate {
  if (alarm === undefined || alarm.ackUser === '') return { kind: 'over' };
  const { ackUser, ackUserId } = alarm;
  if (ackUserId === userId) return { kind: 'taken-by-you' };
  if (ackUserId === undefined) return { kind: 'taken', by: ackUser };
  const stationIds = snapshot.people.get(userId)?.stationIds ?? [];
  const taker = snapshot.people.get(ackUserId);
  const isSeen = visibilityOf({ stationIds }, snapshot).seesPerson(ackUserId);
  return { kind: 'taken', by: isSeen ? (taker === undefined ? ackUser : shownNameOf(taker)) : '' };
}
