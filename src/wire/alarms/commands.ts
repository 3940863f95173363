// The bodies of commands on alarms, and the events of an alarm's timeline.

import { type Static, Type } from 'typebox';
import { dateTimeText, instantText, printInstant, tomorrow } from '../date-time.ts';
import { optionalId } from '../entry.ts';
import { optionalText, text, uint } from '../paging.ts';

const maxCommentLength = 65_536;

export const nothingBody = Type.Object({}, { title: 'NoFields', description: 'No fields.', examples: [{}] });

export const onBehalfOf = optionalId(
  'The user who takes the alarm, if not the caller; needs the scope `calls:control` as well.',
);

export const acknowledgeBody = Type.Object(
  {
    comment: optionalText(maxCommentLength, { description: 'A comment to keep.', examples: ['On my way'] }),
    onBehalfOf,
  },
  {
    title: 'AcknowledgeBody',
    description: 'What to keep with the acknowledgement.',
    examples: [{ comment: 'On my way' }],
  },
);

export const maskBody = Type.Object(
  {
    until: Type.Optional(dateTimeText({ description: 'When the mask ends.' })),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5_256_000,
        description:
          'How long the mask lasts by the clock of the server, in place of `until`: for a client whose own may be wrong.',
        examples: [30],
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: 1_024, description: 'Why.', examples: ['Repair of pump 7'] }),
  },
  {
    title: 'MaskBody',
    description: 'How long to mask the alarm, and why.',
    examples: [{ until: tomorrow, reason: 'Repair of pump 7' }],
  },
);

export const commentBody = Type.Object(
  { comment: text(maxCommentLength, { minLength: 1, description: 'The comment.', examples: ['Spare part ordered'] }) },
  { title: 'CommentBody', description: 'A comment on an alarm.' },
);

export const alarmScenariosSchema = Type.Object(
  { scenarioIds: Type.Array(uint({ examples: [1] }), { description: 'The attached scenarios.' }) },
  { title: 'AlarmScenarios', description: 'The scenarios of an alarm.' },
);

export const attachScenariosBody = Type.Object(
  {
    scenarioIds: Type.Array(uint({ examples: [1] }), {
      maxItems: 100,
      description: 'The scenarios to attach, and no others.',
    }),
  },
  { title: 'AttachScenariosBody', description: 'The scenarios of an alarm.' },
);

export const alarmEventSchema = Type.Object(
  {
    time: instantText('When it happened.'),
    event: Type.String({ description: 'What happened.', examples: ['raised', 'acknowledged', 'returned'] }),
    actor: Type.String({ description: 'Who did it.', examples: ['user:3', 'key:7', 'system'] }),
    data: Type.Object({}, { additionalProperties: true, description: 'The values that belong to the event.' }),
  },
  { title: 'AlarmEvent', description: 'Something that happened to an alarm.' },
);

type TimelineEvent = {
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export function printAlarmEvent(
  { at, kind, actor, data }: TimelineEvent,
  timeZone: string,
): Static<typeof alarmEventSchema> {
  const event = kind.replace(/^alarm\./, '');
  return { time: printInstant(at, timeZone), event, actor, data: data as Record<string, never> };
}
