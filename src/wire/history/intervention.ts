// The JSON of one user's interventions over a period.

import { type Static, Type } from 'typebox';
import { printDuration } from '../../domain/history/duration.ts';
import { durationText } from '../duration.ts';
import { uint } from '../paging.ts';

export const alarmInterventionSchema = Type.Object(
  {
    id: uint({ description: 'The id of the user.' }),
    user: Type.String({
      description: 'The display name of the user, else first and last name, else the name.',
      examples: ['Ana Silva'],
    }),
    interventionNumber: uint({ description: 'How many occurrences the user acknowledged.' }),
    reactionMeanTime: durationText('From raise to acknowledgement, on average.'),
    interventionMeanTime: durationText('From acknowledgement to return to normal, on average; 0 when there was none.'),
  },
  { title: 'AlarmIntervention', description: 'What one user acknowledged in a period, and how quickly.' },
);

type AlarmInterventionJson = Readonly<Static<typeof alarmInterventionSchema>>;

type AlarmInterventionView = {
  readonly id: number;
  readonly user: string;
  readonly interventionNumber: number;
  /** Mean over the occurrences that have this duration; undefined if none has. */
  readonly reactionMeanMs: number | undefined;
  readonly interventionMeanMs: number | undefined;
};

export function printAlarmIntervention(row: AlarmInterventionView): AlarmInterventionJson {
  return {
    id: row.id,
    user: row.user,
    interventionNumber: row.interventionNumber,
    reactionMeanTime: printDuration(row.reactionMeanMs ?? 0),
    interventionMeanTime: printDuration(row.interventionMeanMs ?? 0),
  };
}
