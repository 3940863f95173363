// Row types of the history: occurrences, their texts and series, and counts of them.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    alarm_histories: {
      id: Generated<number>;
      alarm_id: number;
      station_id: number;
      data_server_id: number;
      tag_group_id: number | null;
      series_id: number;
      text_id: number;
      /** The number of the alarm's occurrences up to this one, and the total active time of those before it. */
      nth: number;
      active_before: number;
      priority: number;
      code: number;
      raised_at: Instant;
      ack_at: Instant | null;
      ack_user_id: number | null;
      ack_user: string | null;
      reset_at: Instant | null;
      comment: string;
      /** The newest event of the alarm when the occurrence was stored, or the alarm was removed; null of those of earlier versions. */
      event_id: number | null;
    };
    /** The texts of history entries, as they were at the raise. */
    history_texts: {
      id: Generated<number>;
      alarm_id: number;
      tag_name: string;
      message: string;
      /** Null while the alarm still has this text. */
      last_entry_id: number | null;
    };
    history_text_words: { word: string; text_id: number };
    /** The words of entries with a comment: all their words, including those of the text. */
    history_comment_words: { word: string; history_id: number };
    /** A series of occurrences of one alarm in one location. */
    history_series: {
      id: Generated<number>;
      alarm_id: number;
      station_id: number;
      data_server_id: number;
      tag_group_id: number | null;
      first_raised: Instant;
      /** An approximate last raise: at most a little older than the newest one. */
      noted_raise: Instant;
      /** An upper bound on the gap between consecutive raises; in whole hours, so that it seldom changes. */
      longest_gap: number;
      /** Its last raise once it is closed; null while it may continue. */
      ended_at: Instant | null;
    };
    /** Acknowledgements of more occurrences than one transaction writes; those that are left are worked off in order. */
    pending_acknowledgements: {
      id: Generated<number>;
      alarm_id: number;
      /** No occurrence that is left was raised before. */
      since: Instant;
      /** The newest occurrence that was acknowledged. */
      up_to: number;
      at: Instant;
      user_id: number | null;
      user_name: string;
      comment: string;
    };
    /** Entry counts by time bucket (domain/history/time-buckets.ts) and location; tag group 0 means none. */
    history_counts: {
      level: number;
      step: number;
      station_id: number;
      data_server_id: number;
      tag_group_id: number;
      entries: number;
      min_id: number;
      max_id: number;
    };
    /** Acknowledgements by user and by the time bucket of the raise, once for each part of the location. */
    intervention_counts: {
      level: number;
      part: number;
      part_id: number;
      step: number;
      user_id: number;
      station_id: number;
      interventions: number;
      reaction_ms: number;
      /** The number that ended after being acknowledged, and the total time that took. */
      finished: number;
      intervention_ms: number;
    };
  }
}
