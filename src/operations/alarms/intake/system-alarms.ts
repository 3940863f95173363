// Tocsin's own alarms, which show everyone what it cannot do until somebody acknowledges them: built as reports like any other.

import { systemCaller } from '../../../domain/access/access.ts';
import type { Problem } from '../../../domain/alarms/actions.ts';
import type { Instant, Job } from '../../../store/store.ts';
import type { AlarmRecord } from '../record.ts';
import type { AlarmReport } from './report-message.ts';

export type SystemAlarm = {
  readonly path: string;
  readonly stationId?: number;
  readonly priority?: number;
  readonly message: string;
  /** Whether to raise the alarm again while the previous one is not acknowledged. */
  readonly isRepeated?: true;
  /** Whether the last resort is called. */
  readonly isCalled?: boolean;
};

/** A call action without an existing target, so that the last resort is called. */
const callLastResort = { type: 'CallGroup', id: 0, scriptId: 0, parameter: '', flags: 0 };

export function systemReport(now: Instant, alarm: SystemAlarm): Job<AlarmReport> {
  const { path, stationId, priority, message, isRepeated = false, isCalled = false } = alarm;
  return {
    now,
    input: {
      caller: systemCaller,
      stationId,
      dataServerId: undefined,
      tagGroupId: undefined,
      path: `system/${path}`,
      priority,
      value: undefined,
      raised: true,
      change: {
        temporary: true,
        alarmDelay: 0,
        condition: { value: '', transitory: true, reactivatable: false, resettable: true },
        alarm: { message, actions: isCalled ? [callLastResort] : [] },
      },
      ...(isRepeated ? {} : { onlyAtRest: true }),
    },
  };
}

/** Builds the system alarm about an action that cannot run; one per cause and station. */
export function problemAlarm({ cause, field, sentence }: Problem, alarm: AlarmRecord): SystemAlarm {
  return {
    path: `cannot-be-done/${cause}`,
    stationId: alarm.stationId,
    message: `An alarm asks for something that cannot be done: ${sentence}. It is ${field} of alarm ${alarm.id}, "${alarm.name}".`,
  };
}
