// Which columns of an alarm's row a change sets: what is raised again and again has few to write.

import { nextDueOf } from '../../domain/alarms/transition.ts';
import type { AlarmRecord } from '../../store/stored-alarm.ts';

/** The sets of alarm-rows.ts that change the life of an alarm, in the order in which they are written. */
export const alarmUpdates = ['updateLife', 'updateUnlisted', 'updateOccurrence'] as const;

/** The narrowest that holds all that is other than it was. */
export function updateFor(alarm: AlarmRecord, before: AlarmRecord): (typeof alarmUpdates)[number] {
  if (isListedAnew(alarm, before)) return 'updateLife';
  return isOnlyRaised(alarm, before) ? 'updateOccurrence' : 'updateUnlisted';
}

/** Whether it comes into a list, or goes from one. */
function isListedAnew({ life }: AlarmRecord, { life: before }: AlarmRecord): boolean {
  return (
    life.state !== before.state || life.mask?.until !== before.mask?.until || nextDueOf(life) !== nextDueOf(before)
  );
}

/** Whether nothing is other than it was but what each further occurrence changes. */
function isOnlyRaised(alarm: AlarmRecord, before: AlarmRecord): boolean {
  return (
    alarm.life.isLatched === before.life.isLatched &&
    alarm.life.pendingSince === before.life.pendingSince &&
    alarm.life.mask?.reason === before.life.mask?.reason &&
    alarm.life.mask?.by === before.life.mask?.by &&
    alarm.ackTime === before.ackTime &&
    alarm.ackUser === before.ackUser &&
    alarm.ackUserId === before.ackUserId &&
    alarm.resetTime === before.resetTime &&
    alarm.comment === before.comment &&
    alarm.seriesId === before.seriesId &&
    alarm.textId === before.textId &&
    alarm.occurrenceGroupId === before.occurrenceGroupId &&
    alarm.value === before.value &&
    alarm.words === before.words
  );
}
