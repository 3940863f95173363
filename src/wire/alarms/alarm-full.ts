// The JSON of an alarm in full: the twenty fields of the interface and all others.

import { type Static, Type } from 'typebox';
import { type AlarmLife, isaStateOf } from '../../domain/alarms/alarm.ts';
import type { AlarmAction, AlarmDefinition } from '../../domain/alarms/definition.ts';
import type { AlarmView } from '../../domain/alarms/view.ts';
import { printReason, reasonCode } from '../calls/reason.ts';
import { instantText, printInstant } from '../date-time.ts';
import { choice, idOf, uint } from '../paging.ts';
import { type AlarmPrinting, alarmSchema, printAlarm } from './alarm.ts';
import { actionTypes, beaconFields, positionFields, zone } from './alarm-creation.ts';

const instant = (description: string) => Type.Optional(instantText(description));

/** An action as it is stored, in alarms and scenarios. */
export const storedActionSchema = Type.Object(
  {
    type: Type.String({
      description: `What it does: ${actionTypes.join(', ')}; any other does nothing.`,
      examples: ['CallGroup'],
    }),
    id: uint({ description: 'The group or user to call; 0: none.', examples: [1] }),
    scriptId: uint({ description: 'The script of a command; 0: none.', examples: [0] }),
    parameter: Type.String({
      description: 'The delay of a call, the media name of a sound, the argument of a script.',
    }),
    flags: uint({
      description: '2: the target may see and acknowledge the alarm, but is not called.',
      examples: [0],
    }),
  },
  { title: 'Action', description: 'What is done when an alarm is raised, returns to normal or is acknowledged.' },
);
const storedActions = (description: string) => Type.Array(storedActionSchema, { description });

const calledPerson = Type.Object(
  {
    userId: idOf('user'),
    relief: Type.Boolean({ description: 'Whether the person is called as relief.' }),
    status: uint({ description: 'As in call histories.', examples: [1] }),
    reason: Type.String({ description: 'Why the person is called, or is called no longer.' }),
    reasonCode,
  },
  { title: 'CalledPerson', description: 'A person in a round of a call.' },
);

const runningCall = Type.Object(
  {
    id: idOf('call'),
    callGroupId: Type.Optional(uint({ description: 'The group that is called.' })),
    userId: Type.Optional(uint({ description: 'Set for a call to one person.' })),
    phase: choice(
      [
        ['calling', 'people are being called'],
        ['waiting', 'nobody can be called at present'],
        ['pausing', 'between two rounds'],
        ['ended', 'nobody is called any more'],
      ],
      { description: 'What the call is doing.' },
    ),
    round: uint({ description: 'How often the call has started from the beginning.' }),
    reason: Type.String({ description: 'Why it is in this phase.' }),
    reasonCode,
    nextStep: instant('When something happens next.'),
    people: Type.Array(calledPerson, { description: 'The attempts of this round.' }),
  },
  { title: 'RunningCall', description: 'A call in progress.' },
);

const location = Type.Object(
  {
    ...positionFields,
    beaconList: Type.Optional(
      Type.Array(Type.Object(beaconFields, { title: 'Beacon', description: 'A radio beacon that was in range.' }), {
        description: 'The beacons that were in range.',
      }),
    ),
    zone,
  },
  { title: 'Location', description: 'Where the alarm comes from, as it was sent.' },
);

const eventCondition = Type.Object(
  {
    value: Type.String({ description: 'What the value is compared with; empty: no condition.', examples: ['>=80'] }),
    transitory: Type.Boolean({ description: 'Whether it returns to normal at the moment it is raised.' }),
    reactivatable: Type.Boolean({ description: 'Whether a raise while it is active begins a new occurrence.' }),
    resettable: Type.Boolean({ description: 'Otherwise it stays active until somebody resets it.', examples: [true] }),
  },
  { title: 'EventCondition', description: 'When the alarm is raised and how it ends.' },
);

const more = Type.Object({
  names: Type.Record(Type.String(), Type.String(), { description: 'Names by language tag.' }),
  consequence: Type.String({ description: 'What happens if nobody does anything; empty if it is not known.' }),
  instructions: Type.String({ description: 'What to do; empty if there is nothing special.' }),
  stationId: idOf('station'),
  system: Type.Boolean({ description: 'Whether it is an alarm of Tocsin itself, to which no source can write.' }),
  tagGroupId: Type.Optional(idOf('tag group')),
  eventCondition,
  location: Type.Optional(location),
  resetTime: instant('When the newest occurrence was back to normal.'),
  ackTime: instant('When the newest occurrence was acknowledged.'),
  ackUserId: Type.Optional(uint({ description: 'The user who acknowledged it; absent for an API key.' })),
  occurrenceId: Type.Optional(uint({ description: 'The latest entry of the history.' })),
  occurrences: uint({ description: 'How often it was raised.' }),
  isaState: choice(
    [
      ['NORM', 'normal'],
      ['UNACK', 'active and not acknowledged'],
      ['ACKED', 'active and acknowledged'],
      ['RTNUN', 'back to normal and not acknowledged'],
      ['SHLVD', 'masked, in any state'],
    ],
    { description: 'The ISA-18.2 name of the state.' },
  ),
  ackUntil: instant(
    'When the acknowledgement expires: if the alarm is still active then, it is unacknowledged again and is called.',
  ),
  maskedUntil: instant('When the mask ends.'),
  maskedBy: Type.Optional(Type.String({ description: 'Who masked it.' })),
  maskReason: Type.Optional(Type.String({ description: 'Why it was masked.' })),
  actions: Type.Object(
    {
      alarm: storedActions('When it is raised.'),
      reset: storedActions('When it returns to normal.'),
      ack: storedActions('When it is acknowledged.'),
    },
    { title: 'AlarmActions', description: 'What is done for the alarm, without the actions of scenarios.' },
  ),
  calls: Type.Array(runningCall, { description: 'The calls in progress for the alarm.' }),
});

export const fullAlarmSchema = Type.Object(
  { ...alarmSchema.properties, ...more.properties },
  { title: 'FullAlarm', description: 'An alarm with everything that is known of it.' },
);

/** An alarm in a list; the additional fields are present only with `view=full`. */
export const listedAlarmSchema = Type.Object(
  { ...alarmSchema.properties, ...Type.Partial(more).properties },
  { title: 'Alarm', description: 'An alarm in a list: twenty fields, and the others with `view=full`.' },
);

export type FullAlarmJson = Readonly<Static<typeof fullAlarmSchema>>;

type FullAlarmView = AlarmView & {
  readonly stationId: number;
  readonly isSystem: boolean;
  readonly tagGroupId: number | undefined;
  readonly definition: AlarmDefinition;
  readonly life: AlarmLife;
  readonly ackTime: number | undefined;
  readonly ackUserId: number | undefined;
  readonly resetTime: number | undefined;
  readonly occurrenceId: number | undefined;
  readonly occurrences: number;
};

/** A call in progress. */
type RunningCallView = {
  readonly id: number;
  readonly targetKind: string;
  readonly targetId: number;
  readonly phase: string;
  readonly round: number;
  readonly reason: string;
  readonly reasonCode: string | undefined;
  readonly nextAt: number | undefined;
  readonly people: readonly {
    readonly userId: number;
    readonly isRelief: boolean;
    readonly status: number;
    readonly reason: string;
    readonly reasonCode: string | undefined;
  }[];
};

function printRunningCall(call: RunningCallView, timeZone: string): Static<typeof runningCall> {
  return {
    id: call.id,
    ...(call.targetKind === 'group' ? { callGroupId: call.targetId } : {}),
    ...(call.targetKind === 'user' ? { userId: call.targetId } : {}),
    phase: call.phase as Static<typeof runningCall>['phase'],
    round: call.round,
    ...printReason(call),
    ...(call.nextAt === undefined ? {} : { nextStep: printInstant(call.nextAt, timeZone) }),
    people: call.people.map(({ userId, isRelief, status, ...why }) => ({
      userId,
      relief: isRelief,
      status,
      ...printReason(why),
    })),
  };
}

export function printFullAlarm(
  alarm: FullAlarmView,
  calls: readonly RunningCallView[],
  printing: AlarmPrinting,
): FullAlarmJson {
  const { definition, life } = alarm;
  const at = (ms: number): string => printInstant(ms, printing.timeZone);
  return {
    ...printAlarm(alarm, printing),
    names: definition.names,
    consequence: definition.consequence,
    instructions: definition.instructions,
    stationId: alarm.stationId,
    system: alarm.isSystem,
    ...(alarm.tagGroupId === undefined ? {} : { tagGroupId: alarm.tagGroupId }),
    eventCondition: { ...definition.condition },
    ...(definition.location === undefined ? {} : { location: definition.location as Static<typeof location> }),
    ...(alarm.resetTime === undefined ? {} : { resetTime: at(alarm.resetTime) }),
    ...(alarm.ackTime === undefined ? {} : { ackTime: at(alarm.ackTime) }),
    ...(alarm.ackUserId === undefined ? {} : { ackUserId: alarm.ackUserId }),
    ...(alarm.occurrenceId === undefined ? {} : { occurrenceId: alarm.occurrenceId }),
    occurrences: alarm.occurrences,
    isaState: isaStateOf(life),
    ...(life.ackUntil === undefined ? {} : { ackUntil: at(life.ackUntil) }),
    ...(life.mask === undefined
      ? {}
      : { maskedUntil: at(life.mask.until), maskedBy: life.mask.by, maskReason: life.mask.reason }),
    actions: {
      alarm: copies(definition.alarm.actions),
      reset: copies(definition.reset.actions),
      ack: copies(definition.ack.actions),
    },
    calls: calls.map((call) => printRunningCall(call, printing.timeZone)),
  };
}

function copies(actions: readonly AlarmAction[]): Static<typeof storedActionSchema>[] {
  return actions.map(({ type, id, scriptId, parameter, flags }) => ({ type, id, scriptId, parameter, flags }));
}
