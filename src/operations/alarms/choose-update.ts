// Chooses which columns of an alarm's row an update writes; alarms that are raised repeatedly need few.

import { nextDueOf } from '../../domain/alarms/transition.ts';
import type { AlarmRecord } from './record.ts';

/** The updates of rows.ts that change an alarm's life, in the order in which they are written. */
export const alarmUpdates = ['updateLife', 'updateUnlisted', 'updateOccurrence'] as const;

/** Returns the smallest column set that covers every changed column. */
export function updateFor(alarm: AlarmRecord, before: AlarmRecord): (typeof alarmUpdates)[number] {
  if (changesListing(alarm, before)) return 'updateLife';
  return changesOccurrenceOnly(alarm, before) ? 'updateOccurrence' : 'updateUnlisted';
}

/** Whether the alarm enters or leaves a list. */
function changesListing({ life }: AlarmRecord, { life: before }: AlarmRecord): boolean {
  return (
    life.state !== before.state || life.mask?.until !== before.mask?.until || nextDueOf(life) !== nextDueOf(before)
  );
}

/** Whether only columns changed that every further occurrence changes. */
function changesOccurrenceOnly(alarm: AlarmRecord, before: AlarmRecord): boolean {
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
