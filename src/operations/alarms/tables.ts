// Row types of alarms and of what they are found by.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    alarms: {
      id: Generated<number>;
      station_id: number;
      data_server_id: number;
      tag_group_id: number | null;
      path: string;
      name: string;
      words: string;
      priority: number;
      value: string;
      /** JSON of AlarmDefinition. */
      definition: string;
      state: number;
      is_latched: Flag;
      pending_since: Instant | null;
      raised_at: Instant | null;
      source_time: Instant | null;
      created_at: Instant;
      last_change: Instant;
      /** The time at which a delay or a mask ends next. */
      next_due: Instant | null;
      mask_until: Instant | null;
      mask_reason: string | null;
      mask_by: string | null;
      ack_time: Instant | null;
      ack_user: string;
      ack_user_id: number | null;
      reset_time: Instant | null;
      comment: string;
      /** The newest history entry. */
      occurrence_id: number | null;
      occurrences: number;
      /** The series and the text of its next occurrence; null when the row does not exist yet. */
      series_id: number | null;
      text_id: number | null;
      /** The total active time of its ended occurrences. */
      active_ms: number;
      /** Copies from its row in history_series. */
      noted_raise: Instant;
      longest_gap: number;
      /** The tag group of the newest history entry; the alarm may have moved since. */
      occurrence_group_id: number | null;
      /** No unacknowledged occurrence is older than this; null when there is none. */
      unacknowledged_since: Instant | null;
      last_event_id: number | null;
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
      created_at: Instant;
    };
  }
}
