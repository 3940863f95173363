// The JSON of what the receiver of a delivery reports later.

import { Type } from 'typebox';
import { choice, idOf } from '../paging.ts';

export const reportBody = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Chosen by the receiver, the same for each repetition of one report: a repetition changes nothing.',
      examples: ['9f1c-1'],
    }),
    attempt: idOf('delivery'),
    event: choice([
      ['delivered', 'it reached the device of the person'],
      ['read', 'it was shown to the person'],
      ['answer', 'the person answered, with `answer` and `code`'],
    ]),
    answer: Type.Optional(
      choice([
        ['take', 'acknowledges the alarms of the message'],
        ['heard', 'the others are called on'],
        ['decline', 'the next person is called'],
        ['later', 'the person is called again in five minutes'],
      ]),
    ),
    code: Type.Optional(
      Type.String({ maxLength: 16, description: 'The `replyCode` of the message.', examples: ['4711'] }),
    ),
  },
  { title: 'DeliveryReport', description: 'A report of the receiver of a message.' },
);

export const reportResponse = Type.Object(
  {
    taken: Type.Array(idOf('alarm'), { description: 'The alarms that the answer acknowledged.' }),
    text: Type.String({ description: 'The response to the person, in their language; empty for a receipt.' }),
  },
  { title: 'DeliveryReportResult', description: 'The effect of the report.' },
);
