// The JSON of a series: how many alarms were raised in each span of a period.

import { type Static, Type } from 'typebox';
import { instantText, printInstant } from '../date-time.ts';
import { choice, uint } from '../paging.ts';

export const everyText = choice(
  [
    ['10m', 'ten minutes'],
    ['1h', 'an hour'],
    ['1d', 'a day'],
  ],
  { description: 'The length of the spans.', default: '1h' },
);

const spanSchema = Type.Object(
  {
    time: instantText('When the span begins.'),
    number: uint({ description: 'How many alarms were raised in it.' }),
    byPriority: Type.Optional(
      Type.Array(uint(), {
        description: 'How many of priority 1, 2, 3, and of 4 with all above. With `by=priority`.',
        minItems: 4,
        maxItems: 4,
        examples: [[1, 0, 2, 0]],
      }),
    ),
  },
  { title: 'AlarmSpan', description: 'A span of time, and how many alarms were raised in it.' },
);

export const alarmSeriesSchema = Type.Object(
  {
    from: instantText('The beginning of the period.'),
    to: instantText('Its end.'),
    items: Type.Array(spanSchema, { description: 'All spans of the period, in order, also those without an alarm.' }),
  },
  { title: 'AlarmSeries', description: 'How many alarms were raised over time.' },
);

type Span = { readonly start: number; readonly entries: number; readonly byPriority: readonly number[] };

export function printSpan(span: Span, isByPriority: boolean, timeZone: string): Static<typeof spanSchema> {
  return {
    time: printInstant(span.start, timeZone),
    number: span.entries,
    ...(isByPriority ? { byPriority: [...span.byPriority] } : {}),
  };
}
