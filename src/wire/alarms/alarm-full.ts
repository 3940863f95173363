// The JSON of an alarm in full: the twenty fields of the interface and all others.

import { type Static, Type } from 'typebox';
import { type AlarmLife, isaStateOf } from '../../domain/alarms/alarm.ts';
import type { AlarmAction, AlarmDefinition } from '../../domain/alarms/definition.ts';
import type { AlarmView } from '../../domain/alarms/view.ts';
import { printInstant } from '../date-time.ts';
import { uint } from '../paging.ts';
import { type AlarmPrinting, alarmSchema, printAlarm } from './alarm.ts';

const instant = Type.Optional(Type.String({ examples: ['2026-05-31T08:30:00.000+02:00'] }));
const action = Type.Object({
  type: Type.String(),
  id: uint(),
  scriptId: uint(),
  parameter: Type.String(),
  flags: uint(),
});

const runningCall = Type.Object({
  id: uint(),
  callGroupId: Type.Optional(uint()),
  userId: Type.Optional(uint({ description: 'Set for a call to one person.' })),
  phase: Type.Enum(['calling', 'waiting', 'pausing', 'ended']),
  round: uint({ description: 'How often the call has started from the beginning.' }),
  reason: Type.String(),
  nextStep: instant,
  people: Type.Array(Type.Object({ userId: uint(), relief: Type.Boolean(), status: uint(), reason: Type.String() }), {
    description: 'The attempts of this round; the status is as in call histories.',
  }),
});

const more = Type.Object({
  names: Type.Record(Type.String(), Type.String()),
  stationId: uint(),
  tagGroupId: Type.Optional(uint()),
  location: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'As it was sent.' })),
  resetTime: instant,
  ackTime: instant,
  ackUserId: Type.Optional(uint()),
  occurrenceId: Type.Optional(uint({ description: 'The latest entry of the history.' })),
  occurrences: uint({ description: 'How often it was raised.' }),
  isaState: Type.Enum(['NORM', 'UNACK', 'ACKED', 'RTNUN', 'SHLVD'], {
    description: 'The ISA-18.2 name of the state.',
  }),
  maskedUntil: instant,
  maskedBy: Type.Optional(Type.String()),
  maskReason: Type.Optional(Type.String()),
  actions: Type.Object({ alarm: Type.Array(action), reset: Type.Array(action), ack: Type.Array(action) }),
  calls: Type.Array(runningCall, { description: 'The calls in progress for the alarm.' }),
});

export const fullAlarmSchema = Type.Object({ ...alarmSchema.properties, ...more.properties });

/** An alarm in a list; the additional fields are present only with `view=full`. */
export const listedAlarmSchema = Type.Object({ ...alarmSchema.properties, ...Type.Partial(more).properties });

export type FullAlarmJson = Readonly<Static<typeof fullAlarmSchema>>;

type FullAlarmView = AlarmView & {
  readonly stationId: number;
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
  readonly nextDue: number | undefined;
  readonly people: readonly {
    readonly userId: number;
    readonly isRelief: boolean;
    readonly status: number;
    readonly reason: string;
  }[];
};

function printRunningCall(call: RunningCallView, timeZone: string): Static<typeof runningCall> {
  return {
    id: call.id,
    ...(call.targetKind === 'group' ? { callGroupId: call.targetId } : {}),
    ...(call.targetKind === 'user' ? { userId: call.targetId } : {}),
    phase: call.phase as Static<typeof runningCall>['phase'],
    round: call.round,
    reason: call.reason,
    ...(call.nextDue === undefined ? {} : { nextStep: printInstant(call.nextDue, timeZone) }),
    people: call.people.map(({ userId, isRelief, status, reason }) => ({ userId, relief: isRelief, status, reason })),
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
    stationId: alarm.stationId,
    ...(alarm.tagGroupId === undefined ? {} : { tagGroupId: alarm.tagGroupId }),
    ...(definition.location === undefined ? {} : { location: definition.location as Record<string, never> }),
    ...(alarm.resetTime === undefined ? {} : { resetTime: at(alarm.resetTime) }),
    ...(alarm.ackTime === undefined ? {} : { ackTime: at(alarm.ackTime) }),
    ...(alarm.ackUserId === undefined ? {} : { ackUserId: alarm.ackUserId }),
    ...(alarm.occurrenceId === undefined ? {} : { occurrenceId: alarm.occurrenceId }),
    occurrences: alarm.occurrences,
    isaState: isaStateOf(life),
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

function copies(actions: readonly AlarmAction[]): Static<typeof action>[] {
  return actions.map(({ type, id, scriptId, parameter, flags }) => ({ type, id, scriptId, parameter, flags }));
}
