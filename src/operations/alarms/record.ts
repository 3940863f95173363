// Types of an alarm as stored: StoredAlarm for reading, AlarmRecord for changing. Times are milliseconds since 1970.

import type { AlarmLife } from '../../domain/alarms/alarm.ts';
import type { AlarmDefinition } from '../../domain/alarms/definition.ts';

/** An alarm as stored: identity, definition, state and what people added. */
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

/** An alarm with the further columns needed to change it. */
export type AlarmRecord = StoredAlarm & {
  readonly words: string;
  readonly seriesId: number | undefined;
  readonly textId: number | undefined;
  /** The total active time of its ended occurrences. */
  readonly activeMs: number;
  /** From the series row: an approximate last raise time, and an upper bound on the gap between raises. */
  readonly notedRaise: number;
  readonly longestGap: number;
  /** The tag group of the newest occurrence; the alarm may have moved since. */
  readonly occurrenceGroupId: number | undefined;
  /** No unacknowledged occurrence is older than this; undefined when there is none. */
  readonly unacknowledgedSince: number | undefined;
  readonly lastEventId: number | undefined;
};
