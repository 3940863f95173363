// The audit entry of a call attempt that has ended.

import { systemCaller } from '../../domain/access/access.ts';
import type { NewAuditEntry } from './append.ts';

type EndedAttempt = {
  readonly id: number;
  readonly call_id: number;
  readonly user_id: number;
  readonly group_id: number | null;
  readonly station_id: number;
  readonly cause: string;
  readonly alarm_id: number | null;
  readonly channel: string;
  readonly address: string;
  readonly attempt: number;
};

type HowEnded = {
  readonly user: string;
  readonly state: string;
  readonly outcome?: string | null;
  readonly endedBy?: string;
  /** The code of the failure, if it has one. */
  readonly failure?: string | null;
  readonly detail: string;
};

/** The subject is the person, so that the entry is hidden from callers who do not see that person. */
export function attemptEntry(row: EndedAttempt, how: HowEnded): NewAuditEntry {
  const { user, state, outcome = null, endedBy, failure = null, detail } = how;
  const { id: attemptId, call_id: callId, alarm_id: alarmId, group_id: callGroupId } = row;
  const { cause, channel, address, attempt } = row;
  return {
    kind: 'call.attempt',
    origin: systemCaller,
    stationId: row.station_id,
    subject: `user:${row.user_id}`,
    after: {
      ...{ user, channel, address, state, outcome, endedBy, failure, detail, attempt, cause },
      ...{ attemptId, callId, alarmId, callGroupId },
    },
  };
}
