// The JSON of one occurrence in the alarm history; fields that do not apply are omitted, not null.

import { type Static, Type } from 'typebox';
import { durationsOf, type OccurrenceTimes, printDuration, secondsOf } from '../../domain/history/duration.ts';
import { instantText, printInstant } from '../date-time.ts';
import { durationText } from '../duration.ts';
import { idOf, uint } from '../paging.ts';

const seconds = (field: string) =>
  uint({ description: `\`${field}\` in seconds. With \`view=full\`.`, examples: [540] });

export const alarmHistorySchema = Type.Object(
  {
    id: idOf('entry'),
    tagId: uint({ description: 'The id of the alarm.' }),
    tagName: Type.String({ description: 'Its name when it was raised.', examples: ['Plant/Pump7/Temperature'] }),
    message: Type.String({ description: 'Its text when it was raised.', examples: ['Pump 7 is too hot'] }),
    priority: uint({ description: 'Its priority when it was raised.', examples: [2] }),
    alarmTime: instantText('When it was raised.'),
    ackTime: Type.Optional(instantText('When it was acknowledged, if it was.')),
    resetTime: Type.Optional(instantText('When it was back to normal, if it is.')),
    alarmDuration: Type.Optional(durationText('From raise to return to normal.')),
    reactionDuration: Type.Optional(durationText('From raise to acknowledgement.')),
    interventionDuration: Type.Optional(durationText('From acknowledgement to return to normal, if in that order.')),
    comment: Type.String({ description: 'The newest comment; empty when there is none.' }),
    stationId: Type.Optional(uint({ description: 'The id of the station. With `view=full`.' })),
    system: Type.Optional(
      Type.Boolean({ description: 'Whether it is an alarm of Tocsin itself. With `view=full`.', examples: [false] }),
    ),
    ackUser: Type.Optional(
      Type.String({ description: 'Who acknowledged it, if somebody did. With `view=full`.', examples: ['ana'] }),
    ),
    alarmSeconds: Type.Optional(seconds('alarmDuration')),
    reactionSeconds: Type.Optional(seconds('reactionDuration')),
    interventionSeconds: Type.Optional(seconds('interventionDuration')),
  },
  { title: 'AlarmHistory', description: 'One occurrence of an alarm, from a raise to its end.' },
);

type AlarmHistoryJson = Readonly<Static<typeof alarmHistorySchema>>;

/** One occurrence, with the alarm's fields as they were when it was raised. */
export type AlarmHistoryView = OccurrenceTimes & {
  readonly id: number;
  readonly tagId: number;
  readonly tagName: string;
  readonly message: string;
  readonly priority: number;
  readonly comment: string;
  readonly stationId: number;
  readonly isSystem: boolean;
  readonly ackUser: string;
};

export function printAlarmHistory(entry: AlarmHistoryView, timeZone: string, isFull = false): AlarmHistoryJson {
  const { alarm, reaction, intervention } = durationsOf(entry);
  return {
    id: entry.id,
    tagId: entry.tagId,
    tagName: entry.tagName,
    message: entry.message,
    priority: entry.priority,
    alarmTime: printInstant(entry.alarmTime, timeZone),
    ...(entry.ackTime === undefined ? {} : { ackTime: printInstant(entry.ackTime, timeZone) }),
    ...(entry.resetTime === undefined ? {} : { resetTime: printInstant(entry.resetTime, timeZone) }),
    ...(alarm === undefined ? {} : { alarmDuration: printDuration(alarm) }),
    ...(reaction === undefined ? {} : { reactionDuration: printDuration(reaction) }),
    ...(intervention === undefined ? {} : { interventionDuration: printDuration(intervention) }),
    comment: entry.comment,
    ...(isFull ? { stationId: entry.stationId, system: entry.isSystem } : {}),
    ...(isFull && entry.ackTime !== undefined ? { ackUser: entry.ackUser } : {}),
    ...(isFull && alarm !== undefined ? { alarmSeconds: secondsOf(alarm) } : {}),
    ...(isFull && reaction !== undefined ? { reactionSeconds: secondsOf(reaction) } : {}),
    ...(isFull && intervention !== undefined ? { interventionSeconds: secondsOf(intervention) } : {}),
  };
}
