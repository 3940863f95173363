// An alarm as it is in the store: what is read of it, and what is needed to change it. Times are milliseconds since 1970.

import type { AlarmLife } from '../domain/alarms/alarm.ts';
import type { AlarmDefinition } from '../domain/alarms/definition.ts';

/** An alarm as it is kept: identity, definition, life and what people added. */
export type StoredAlarm = {
  readonly id: number;
  readonly stationId: number;
  readonly dataServerId: number;
  readonly dataServerName: string;
  readonly tagGroupId: number | undefined;
  readonly path: string;
  readonly name: string;
  readonly priority: number;
  readonly value: string;
  readonly definition: AlarmDefinition;
  readonly life: AlarmLife;
  readonly createdAt: number;
  readonly ackTime: number | undefined;
  readonly ackUser: string;
  readonly ackUserId: number | undefined;
  readonly resetTime: number | undefined;
  readonly comment: string;
  readonly occurrenceId: number | undefined;
  readonly occurrences: number;
};

/** An alarm with what is needed to change it. */
export type AlarmRecord = StoredAlarm & {
  readonly words: string;
  readonly seriesId: number | undefined;
  readonly textId: number | undefined;
  /** How long its occurrences that are over were active, all together. */
  readonly activeMs: number;
  /** What its series has noted: a raise not much older than the newest one, and a time no two were further apart than. */
  readonly notedRaise: number;
  readonly longestGap: number;
  /** The group the newest occurrence is of: the alarm may have moved since. */
  readonly occurrenceGroupId: number | undefined;
  /** No older occurrence is left that nobody acknowledged; undefined when none is left at all. */
  readonly unacknowledgedSince: number | undefined;
  readonly lastEventId: number | undefined;
};
