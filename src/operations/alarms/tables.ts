// Row types of alarms and of what they are found by.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';
import type { AlarmRow } from './record.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    alarms: Omit<AlarmRow, 'id'> & { id: Generated<number> };
    /** What alarms are called in the events that refer to it. */
    alarm_descriptions: {
      id: Generated<number>;
      data_server_id: number;
      /** JSON of the Description of domain/alarms/packed-event.ts. */
      content: string;
      /** When the alarm was called otherwise, or removed; null while events may still refer to it. */
      ended_at: Instant | null;
    };
    /** The words by which a search finds an alarm. */
    alarm_words: { word: string; alarm_id: number };
    /** The alarm actions that refer to a group or a user, for finding the alarms by it. */
    alarm_actions: { alarm_id: number; list: string; place: number; type: string; target_id: number };
    /** Idempotency keys and the response of the first request. */
    idempotency_keys: {
      actor: string;
      key: string;
      body_hash: string;
      answer: number;
      warnings: string;
      /** JSON of the outcome of a request that made something else than an alarm. */
      response: string | null;
      created_at: Instant;
    };
  }
}
