// The body that makes or changes an alarm, and what it asks for once the defaults of typed clients are taken out.

import { type Static, Type } from 'typebox';
import type { AlarmAction, DefinitionChange, Texts } from '../../domain/alarms/definition.ts';
import { AppError } from '../../errors.ts';
import { dateTimeText } from '../date-time.ts';
import { maxTextLength, optionalText, text, uint } from '../paging.ts';

const maxMessageLength = 65_536;
/** Nulls in these lists go, as null fields do: an alarm is not refused over an action that is none. */
const ofAlarm = { maxItems: 1000, 'x-null-entries': 'ignored' } as const;

export const actionTypes: readonly string[] = ['CallGroup', 'CallUser', 'PlaySound', 'ExecuteCommand', 'StopCommand'];
const beaconTypes = ['Undefined', 'Wifi', 'Bluetooth', 'Nfc', 'Dect', 'Radio'];

const message = optionalText(maxMessageLength);
const shortText = optionalText();
const double = Type.Optional(Type.Number());
const flag = Type.Optional(Type.Boolean());
const date = Type.Optional(dateTimeText());
const id = (description: string) =>
  Type.Optional(uint({ description: `${description} Not given, or 0: none is named.` }));

export const actionSchema = Type.Object({
  id: Type.Optional(uint({ description: 'The group or user to call.' })),
  type: optionalText(maxTextLength, {
    description: `${actionTypes.join(', ')}. Another is kept and does nothing.`,
    examples: ['CallGroup'],
  }),
  scriptId: id('The script of a command.'),
  parameter: optionalText(maxTextLength, {
    description: 'Of a call: its delay in seconds. Of a sound: its media name. Of a command: what the script is given.',
  }),
  flags: Type.Optional(uint({ description: '2: may see and acknowledge, but is not called.' })),
});
const actions = Type.Optional(Type.Array(actionSchema, ofAlarm));

const beacon = Type.Object({
  id: shortText,
  name: shortText,
  type: optionalText(maxTextLength, {
    description: `${beaconTypes.join(', ')}, in any case; another is kept as it is.`,
  }),
  accuracy: double,
  date,
});

const location = Type.Object({
  latitude: double,
  longitude: double,
  horizontalAccuracy: double,
  altitude: double,
  verticalAccuracy: double,
  date,
  beaconList: Type.Optional(Type.Array(beacon, ofAlarm)),
  zone: shortText,
});

const eventCondition = Type.Object({
  value: optionalText(maxTextLength, {
    description: 'A plain value means equals; prefixes `!= > >= < <= & !&` compare otherwise.',
    examples: ['>=80'],
  }),
  transitory: Type.Optional(Type.Boolean({ description: 'Returns to normal by itself at once.', default: false })),
  reactivatable: Type.Optional(Type.Boolean({ description: 'A repeat begins a new occurrence.', default: false })),
  resettable: Type.Optional(Type.Boolean({ description: 'False: active until an operator resets it.', default: true })),
});

export const alarmCreationSchema = Type.Object({
  stationId: id('The station.'),
  dataServerId: id('The data server of the tag.'),
  path: optionalText(maxTextLength, {
    description: 'The tag: a path that exists is changed, not made again. This or `alarmMessage` is needed.',
    examples: ['Plant/Pump7/Temperature'],
  }),
  raised: Type.Optional(
    Type.Boolean({ description: 'Not given: whether the value meets the condition; without them, true.' }),
  ),
  tagGroupId: id('The tag group.'),
  priority: Type.Optional(uint({ description: '1 is the most urgent. Not given, or 0: 3.' })),
  temporary: flag,
  eventCondition: Type.Optional(eventCondition),
  value: shortText,
  location: Type.Optional(location),
  alarmDelay: Type.Optional(uint({ description: 'Seconds the condition must hold before the alarm is raised.' })),
  alarmMessage: message,
  alarmFormat: shortText,
  alarmShortMessage: message,
  alarmVocalMessageFile: shortText,
  alarmAttachedFile: shortText,
  alarmActions: actions,
  resetMessage: message,
  resetFormat: shortText,
  resetShortMessage: message,
  resetVocalMessageFile: shortText,
  resetAttachedFile: shortText,
  resetActions: actions,
  ackMessage: message,
  ackFormat: shortText,
  ackShortMessage: message,
  ackVocalMessageFile: shortText,
  ackAttachedFile: shortText,
  ackActions: actions,
  names: Type.Optional(
    // The default pattern of a record, `^.*$`, lets whatever is named with a line break go unchecked.
    Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), text(), {
      description: 'Names by language tag.',
      examples: [{ fr: 'Pompe 7' }],
    }),
  ),
});

export type AlarmCreationBody = Static<typeof alarmCreationSchema>;

/** What a body asks for: a field that is not here was not given and keeps its value. */
export type AlarmCreation = {
  readonly stationId?: number;
  readonly dataServerId?: number;
  readonly path?: string;
  readonly raised?: boolean;
  readonly tagGroupId?: number;
  readonly priority?: number;
  readonly value?: string;
  readonly definition: DefinitionChange;
};

/** Takes out what typed clients send for fields they do not set; refuses a body that names no alarm at all. */
export function readAlarmCreation(body: AlarmCreationBody): AlarmCreation {
  if (!body.path && !body.alarmMessage) {
    const mistake = { field: 'path', message: 'must be given, unless alarmMessage is' };
    throw new AppError('invalid-input', `${mistake.field} ${mistake.message}.`, { errors: [mistake] });
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
  if (body.location !== undefined) change.location = readLocation(body.location);
  return change;
}

/** Called with each field by its own name: looking fields up by names put together took 3 µs for every alarm. */
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

/** An action is never refused here: what cannot be run is kept and told of, and the alarm comes in. */
export function readAction({
  type = '',
  id = 0,
  scriptId = 0,
  parameter = '',
  flags = 0,
}: Static<typeof actionSchema>): AlarmAction {
  return { type: spelt(actionTypes, type), id, scriptId, parameter, flags };
}

/** A location replaces the one before as a whole: half of an old position and half of a new one is nowhere. */
function readLocation({ beaconList, ...rest }: Static<typeof location>): Static<typeof location> {
  const beacons = beaconList?.map((one) =>
    one.type === undefined ? one : { ...one, type: spelt(beaconTypes, one.type) },
  );
  return beacons === undefined ? rest : { ...rest, beaconList: beacons };
}

/** The way the interface spells a word that was sent in any case; another word stays as it is. */
function spelt(known: readonly string[], word: string): string {
  if (known.includes(word)) return word;
  return known.find((candidate) => candidate.toLowerCase() === word.toLowerCase()) ?? word;
}
