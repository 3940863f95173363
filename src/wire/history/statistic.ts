// The JSON of the statistics of one alarm over a period.

import { type Static, Type } from 'typebox';
import { codeWithinBounds } from '../../domain/alarms/definition.ts';
import { printDuration, secondsOf } from '../../domain/history/duration.ts';
import { durationText } from '../duration.ts';
import { uint } from '../paging.ts';

export const alarmStatisticSchema = Type.Object(
  {
    id: uint({ description: 'The id of the alarm.' }),
    tagName: Type.String({ description: 'The name of the alarm.', examples: ['Plant/Pump7/Temperature'] }),
    message: Type.String({ description: 'The latest message.' }),
    priority: uint({ description: '1 is the most urgent.', examples: [2] }),
    code: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The short message when that is a whole number of 31 bits, else 0.',
    }),
    failureNumber: uint({ description: 'How many occurrences were raised in the period.' }),
    failureTotalTime: durationText('How long they were active in all.'),
    failureMeanTime: durationText('How long one was active on average.'),
    system: Type.Optional(Type.Boolean({ description: 'Whether it is an alarm of Tocsin itself. With `view=full`.' })),
    failureTotalSeconds: Type.Optional(uint({ description: '`failureTotalTime` in seconds. With `view=full`.' })),
    failureMeanSeconds: Type.Optional(uint({ description: '`failureMeanTime` in seconds. With `view=full`.' })),
  },
  { title: 'AlarmStatistic', description: 'How often one alarm was raised in a period, and how long it was active.' },
);

type AlarmStatisticJson = Readonly<Static<typeof alarmStatisticSchema>>;

type AlarmStatisticView = {
  readonly id: number;
  readonly tagName: string;
  readonly message: string;
  readonly priority: number;
  readonly code: number;
  readonly failureNumber: number;
  readonly failureTotalMs: number;
  /** Whether Tocsin itself raises it. */
  readonly isSystem: boolean;
};

export function printAlarmStatistic(row: AlarmStatisticView, isFull = false): AlarmStatisticJson {
  const meanMs = row.failureNumber === 0 ? 0 : row.failureTotalMs / row.failureNumber;
  return {
    id: row.id,
    tagName: row.tagName,
    message: row.message,
    priority: row.priority,
    code: codeWithinBounds(row.code),
    failureNumber: row.failureNumber,
    failureTotalTime: printDuration(row.failureTotalMs),
    failureMeanTime: printDuration(meanMs),
    ...(isFull
      ? {
          system: row.isSystem,
          failureTotalSeconds: secondsOf(row.failureTotalMs),
          failureMeanSeconds: secondsOf(meanMs),
        }
      : {}),
  };
}
