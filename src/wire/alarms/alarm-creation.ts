// The body that creates or changes an alarm, parsed after removing the default values that typed clients send.

import { type Static, Type } from 'typebox';
import type { AlarmAction, DefinitionChange, Texts } from '../../domain/alarms/definition.ts';
import { AppError } from '../../errors.ts';
import { dateTimeText, parseDateTime } from '../date-time.ts';
import { maxTextLength, optionalText, text, uint } from '../paging.ts';

const maxMessageLength = 65_536;
/** Null entries of these lists are removed, like null fields, so that an alarm is not refused over an empty action. */
const listOptions = { maxItems: 1000, 'x-null-entries': 'ignored' } as const;

export const actionTypes: readonly string[] = ['CallGroup', 'CallUser', 'PlaySound', 'ExecuteCommand', 'StopCommand'];
const beaconTypes = ['Undefined', 'Wifi', 'Bluetooth', 'Nfc', 'Dect', 'Radio'];

const shortText = (description: string) => optionalText(maxTextLength, { description });
const double = (description: string) => Type.Optional(Type.Number({ description }));
const date = (description: string) => Type.Optional(dateTimeText({ description }));
const id = (description: string) =>
  Type.Optional(uint({ description: `${description} Not given, or 0: none is named.` }));

const actionFields = {
  id: Type.Optional(uint({ description: 'The group or user to call.', examples: [1] })),
  type: optionalText(maxTextLength, {
    description: `${actionTypes.join(', ')}. Any other type is stored and does nothing.`,
    examples: ['CallGroup'],
  }),
  scriptId: id('The script of a command.'),
  parameter: optionalText(maxTextLength, {
    description:
      'For a call: its delay in seconds. For a sound: its media name. For a command: the parameter of the script.',
  }),
  flags: Type.Optional(uint({ description: '2: the target may see and acknowledge the alarm, but is not called.' })),
};
export const actionSchema = Type.Object(actionFields, {
  title: 'ActionBody',
  description: 'What to do when an alarm is raised, returns to normal or is acknowledged.',
});
const actions = (when: string) =>
  Type.Optional(Type.Array(actionSchema, { description: `What to do when it is ${when}.`, ...listOptions }));

export const beaconFields = {
  id: shortText('What the beacon calls itself.'),
  name: shortText('Its name.'),
  type: optionalText(maxTextLength, {
    description: `${beaconTypes.join(', ')}, in upper or lower case; any other is stored unchanged.`,
  }),
  accuracy: double('How far away it may be, in metres.'),
  date: date('When it was seen.'),
};
const beacon = Type.Object(beaconFields, { title: 'BeaconBody', description: 'A radio beacon that is in range.' });

export const positionFields = {
  latitude: double('In degrees.'),
  longitude: double('In degrees.'),
  horizontalAccuracy: double('In metres.'),
  altitude: double('In metres.'),
  verticalAccuracy: double('In metres.'),
  date: date('When the position was taken.'),
};
export const zone = shortText('The name of the place; `{zone}` in formats.');
const location = Type.Object(
  {
    ...positionFields,
    beaconList: Type.Optional(Type.Array(beacon, { description: 'The beacons in range.', ...listOptions })),
    zone,
  },
  { title: 'LocationBody', description: 'Where the alarm comes from; replaced as a whole.' },
);

const conditionFields = {
  value: optionalText(maxTextLength, {
    description: 'A plain value means equals; the prefixes `!= > >= < <= & !&` select another comparison.',
    examples: ['>=80'],
  }),
  transitory: Type.Optional(Type.Boolean({ description: 'Returns to normal by itself at once.', default: false })),
  reactivatable: Type.Optional(
    Type.Boolean({ description: 'A repeated report begins a new occurrence.', default: false }),
  ),
  resettable: Type.Optional(
    Type.Boolean({ description: 'If false, the alarm stays active until an operator resets it.', default: true }),
  ),
};
const eventCondition = Type.Object(conditionFields, {
  title: 'EventConditionBody',
  description: 'When the alarm is raised and how it ends; changed field by field.',
});

/** The texts and actions of one of the three moments in the life of an alarm. */
const textsWhen = (when: string) => ({
  message: optionalText(maxMessageLength, { description: `The text when it is ${when}.` }),
  format: shortText(`The template of what is sent when it is ${when}; empty: the text.`),
  shortMessage: optionalText(maxMessageLength, { description: `The text for SMS and pagers when it is ${when}.` }),
  vocalMessageFile: shortText(`The media name of the recording for when it is ${when}.`),
  attachedFile: shortText(`The media name of the file to send when it is ${when}.`),
  actions: actions(when),
});

const raised = textsWhen('raised');
const reset = textsWhen('back to normal');
const acknowledged = textsWhen('acknowledged');

const creationFields = {
  stationId: id('The station.'),
  dataServerId: id('The data server of the tag.'),
  path: optionalText(maxTextLength, {
    description: 'The tag. If the path exists, its alarm is changed. Either this or `alarmMessage` is required.',
    'x-too-long': 'hashed',
    examples: ['Plant/Pump7/Temperature'],
  }),
  raised: Type.Optional(
    Type.Boolean({
      description: 'If not given: whether the value meets the condition; without value or condition, true.',
    }),
  ),
  tagGroupId: id('The tag group.'),
  priority: Type.Optional(uint({ description: '1 is the most urgent. Not given, or 0: 3.', examples: [2] })),
  temporary: Type.Optional(
    Type.Boolean({
      description: 'If true, it is removed once it was raised and is back at rest; its history stays.',
      default: false,
    }),
  ),
  eventCondition: Type.Optional(eventCondition),
  value: optionalText(maxTextLength, { description: 'The current value of the tag.', examples: ['82.5'] }),
  location: Type.Optional(location),
  alarmDelay: Type.Optional(uint({ description: 'Seconds the condition must hold before the alarm is raised.' })),
  alarmMessage: raised.message,
  alarmFormat: raised.format,
  alarmShortMessage: raised.shortMessage,
  alarmVocalMessageFile: raised.vocalMessageFile,
  alarmAttachedFile: raised.attachedFile,
  alarmActions: raised.actions,
  resetMessage: reset.message,
  resetFormat: reset.format,
  resetShortMessage: reset.shortMessage,
  resetVocalMessageFile: reset.vocalMessageFile,
  resetAttachedFile: reset.attachedFile,
  resetActions: reset.actions,
  ackMessage: acknowledged.message,
  ackFormat: acknowledged.format,
  ackShortMessage: acknowledged.shortMessage,
  ackVocalMessageFile: acknowledged.vocalMessageFile,
  ackAttachedFile: acknowledged.attachedFile,
  ackActions: acknowledged.actions,
  names: Type.Optional(
    // The default pattern of a record, `^.*$`, would leave names with a line break unchecked.
    Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), text(), {
      maxProperties: 100,
      description: 'Names by language tag.',
      examples: [{ fr: 'Pompe 7' }],
    }),
  ),
  consequence: optionalText(maxMessageLength, {
    description: 'What happens if nobody does anything.',
    examples: ['The bearing seizes within an hour.'],
  }),
  instructions: optionalText(maxMessageLength, {
    description: 'What to do.',
    examples: ['Switch to pump 8, then check the oil.'],
  }),
  time: date(
    'When the source saw it; not given: now. A report that is older than the last one of the alarm is only recorded.',
  ),
};

export const alarmCreationSchema = Type.Object(creationFields, {
  title: 'AlarmBody',
  description: 'The alarm of a tag; a field that is not given keeps its value.',
  examples: [
    {
      path: 'Plant/Pump7/Temperature',
      priority: 2,
      value: '82.5',
      eventCondition: { value: '>=80' },
      alarmMessage: 'Pump 7 is too hot',
      resetMessage: 'Pump 7 has cooled down',
      alarmActions: [{ type: 'CallGroup', id: 1 }],
      names: { fr: 'Pompe 7' },
    },
  ],
});

export type AlarmCreationBody = Static<typeof alarmCreationSchema>;

/** The parsed body; a field that is absent was not given and keeps its value. */
type AlarmCreation = {
  readonly stationId?: number;
  readonly dataServerId?: number;
  readonly path?: string;
  readonly raised?: boolean;
  readonly tagGroupId?: number;
  readonly priority?: number;
  readonly value?: string;
  readonly definition: DefinitionChange;
};

/** Removes the default values that typed clients send for unset fields; throws if the body identifies no alarm. */
export function readAlarmCreation(body: AlarmCreationBody): AlarmCreation {
  if (!body.path && !body.alarmMessage) {
    const error = { field: 'path', message: 'must be given, unless alarmMessage is' };
    throw new AppError('invalid-input', `${error.field} ${error.message}.`, { errors: [error] });
  }
  const creation: Writable<AlarmCreation> = { definition: readDefinition(body) };
  if (body.stationId) creation.stationId = body.stationId;
  if (body.dataServerId) creation.dataServerId = body.dataServerId;
  if (body.path) creation.path = body.path;
  if (body.raised !== undefined) creation.raised = body.raised;
  if (body.tagGroupId) creation.tagGroupId = body.tagGroupId;
  if (body.priority) creation.priority = body.priority;
  if (body.value !== undefined) creation.value = body.value;
  return creation;
}

/** When the source saw what the body reports, if it says so; a time without an offset is in the zone. */
export function sourceTimeOf({ time }: Pick<AlarmCreationBody, 'time'>, timeZone: string): number | undefined {
  return time === undefined ? undefined : parseDateTime(time, timeZone);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function readDefinition(body: AlarmCreationBody): DefinitionChange {
  const alarm = readTexts(
    body.alarmMessage,
    body.alarmFormat,
    body.alarmShortMessage,
    body.alarmVocalMessageFile,
    body.alarmAttachedFile,
    body.alarmActions,
  );
  const reset = readTexts(
    body.resetMessage,
    body.resetFormat,
    body.resetShortMessage,
    body.resetVocalMessageFile,
    body.resetAttachedFile,
    body.resetActions,
  );
  const ack = readTexts(
    body.ackMessage,
    body.ackFormat,
    body.ackShortMessage,
    body.ackVocalMessageFile,
    body.ackAttachedFile,
    body.ackActions,
  );
  const change: Writable<DefinitionChange> = {};
  if (alarm !== undefined) change.alarm = alarm;
  if (reset !== undefined) change.reset = reset;
  if (ack !== undefined) change.ack = ack;
  if (body.names !== undefined) change.names = body.names;
  if (body.temporary !== undefined) change.temporary = body.temporary;
  if (body.alarmDelay !== undefined) change.alarmDelay = body.alarmDelay;
  if (body.eventCondition !== undefined) change.condition = body.eventCondition;
  if (body.consequence !== undefined) change.consequence = body.consequence;
  if (body.instructions !== undefined) change.instructions = body.instructions;
  if (body.location !== undefined) change.location = readLocation(body.location);
  return change;
}

/** Takes each field as its own parameter, because building field names dynamically took 3 µs per alarm. */
function readTexts(
  message: string | undefined,
  format: string | undefined,
  shortMessage: string | undefined,
  vocalMessageFile: string | undefined,
  attachedFile: string | undefined,
  actions: AlarmCreationBody['alarmActions'],
): Partial<Texts> | undefined {
  const given = message ?? format ?? shortMessage ?? vocalMessageFile ?? attachedFile ?? actions;
  if (given === undefined) return undefined;
  const texts: Partial<Writable<Texts>> = {};
  if (message !== undefined) texts.message = message;
  if (format !== undefined) texts.format = format;
  if (shortMessage !== undefined) texts.shortMessage = shortMessage;
  if (vocalMessageFile !== undefined) texts.vocalMessageFile = vocalMessageFile;
  if (attachedFile !== undefined) texts.attachedFile = attachedFile;
  if (actions !== undefined) texts.actions = actions.map(readAction);
  return texts;
}

/** Never refuses an action: one that cannot run is stored and reported as a warning, and the alarm is accepted. */
export function readAction({
  type = '',
  id = 0,
  scriptId = 0,
  parameter = '',
  flags = 0,
}: Static<typeof actionSchema>): AlarmAction {
  return { type: canonicalSpelling(actionTypes, type), id, scriptId, parameter, flags };
}

/** A location replaces the previous one as a whole, because mixing an old and a new position would be wrong. */
function readLocation({ beaconList, ...rest }: Static<typeof location>): Static<typeof location> {
  const beacons = beaconList?.map((one) =>
    one.type === undefined ? one : { ...one, type: canonicalSpelling(beaconTypes, one.type) },
  );
  return beacons === undefined ? rest : { ...rest, beaconList: beacons };
}

/** Returns the spelling of the interface for a word sent in any case; an unknown word is returned unchanged. */
function canonicalSpelling(known: readonly string[], word: string): string {
  if (known.includes(word)) return word;
  return known.find((candidate) => candidate.toLowerCase() === word.toLowerCase()) ?? word;
}
