// Row types of the tables, the same on both databases; `migrations/` creates the tables.

import type { Generated, GeneratedAlways } from 'kysely';
import { type AuditTables, auditTableNames } from './audit-tables.ts';
import { type CallTables, callTableNames } from './call-tables.ts';

type Flag = 0 | 1;
/** Milliseconds since 1970, UTC. */
type Instant = number;

type PlantEntry = {
  id: Generated<number>;
  name: string;
  /** The words of the name as domain/search.ts splits them, each between spaces. */
  words: string;
  last_change: Instant;
};

export type Tables = AuditTables &
  CallTables & {
    meta: { key: string; value: string };
    stations: PlantEntry;
    data_servers: PlantEntry & { station_id: number; built_in: Flag };
    tag_groups: PlantEntry & { station_id: number };
    users: {
      id: Generated<number>;
      name: string;
      /** The name folded by domain/search.ts: two users may not differ only by case or accents. */
      folded_name: string;
      role: string;
      password_hash: string | null;
      last_change: Instant;
      /** Search words, as in PlantEntry, of both names. */
      words: Generated<string>;
      first_name: Generated<string>;
      language: Generated<string>;
      time_zone: Generated<string>;
      status_id: Generated<number>;
      on_duty: Generated<Flag>;
      replaced_by_id: number | null;
      virtual: Generated<Flag>;
      pin_hash: string | null;
    };
    user_stations: { user_id: number; station_id: number };
    /** `place` is the order in which the numbers are tried; times are seconds. */
    user_numbers: {
      id: Generated<number>;
      user_id: number;
      place: number;
      channel: string;
      address: string;
      valid: Flag;
      verified: Flag;
      final: Flag;
      count_try: number;
      time_to_retry: number;
      count_ack: number;
      time_to_ack: number;
      ack_auto_default: Flag;
      schedule_id: number | null;
    };
    sessions: {
      id: Generated<number>;
      user_id: number;
      token_hash: string;
      address: string;
      created_at: Instant;
      expires_at: Instant;
    };
    /** The networks from which a user has signed in lately. */
    sign_in_addresses: { user_id: number; network: string; last_success_at: Instant };
    /** Sign-ins that failed or are being checked. */
    sign_in_guesses: {
      id: Generated<number>;
      /** SHA-256 of the folded name, which need not be a user's: people type passwords into the wrong field. */
      account: string;
      network: string;
      at: Instant;
      /** Whether the account had not signed in from the network. */
      is_new_address: Flag;
    };
    api_keys: {
      id: Generated<number>;
      name: string;
      token_hash: string;
      /** JSON list of scopes. */
      scopes: string;
      created_by: string;
      created_at: Instant;
      expires_at: Instant;
      last_used_at: Instant | null;
      /** The smallest number of days before expiry for which a warning was given. */
      warned_days: number | null;
    };
    api_key_stations: { api_key_id: number; station_id: number };
    /** Keys that were revoked before they expired; a restore does not bring them back. */
    revoked_keys: { token_hash: string; key_id: number; name: string; expires_at: Instant; revoked_at: Instant };
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
    /** `definition` is the JSON of a Schedule without id and name. */
    schedules: PlantEntry & { definition: string };
    teams: PlantEntry & { colour: string };
    team_members: { team_id: number; place: number; user_id: number; relief: Flag };
    /** `names` is a JSON object. */
    call_groups: PlantEntry & {
      station_id: number;
      names: string;
      time_zone: string;
      call_mode: string;
      relief_mode: string;
      relief_group_id: number | null;
      discard_when_nobody: Flag;
      schedule_id: number | null;
    };
    call_group_teams: { call_group_id: number; place: number; team_id: number };
    call_group_groupings: PlantEntry & { station_id: number };
    grouping_call_groups: { grouping_id: number; place: number; call_group_id: number };
    grouping_groupings: { grouping_id: number; place: number; member_id: number };
    /** `actions` is a JSON object of the three lists; a null station means every station. */
    scenarios: PlantEntry & { station_id: number | null; actions: string };
    scenario_stations: { station_id: number; scenario_id: number };
    scenario_tag_groups: { tag_group_id: number; scenario_id: number };
    scenario_alarms: { alarm_id: number; scenario_id: number };
    /** The script runs that alarms have caused, due or ended. */
    command_runs: {
      id: Generated<number>;
      alarm_id: number;
      alarm_path: string;
      station_id: number;
      script_id: number;
      parameter: string;
      /** `due`, `started`, or how it ended: see domain/script.ts. */
      state: string;
      created_at: Instant;
      started_at: Instant | null;
      /** The time at which the running script was asked to stop. */
      stop_at: Instant | null;
      ended_at: Instant | null;
      exit_code: number | null;
      detail: string;
      lease_by: string | null;
      lease_until: Instant | null;
    };
    /** The nodes that serve this database now. */
    nodes: { id: string; address: string; seen_at: Instant };
    /** Idempotency keys and the response of the first request. */
    idempotency_keys: {
      actor: string;
      key: string;
      body_hash: string;
      answer: number;
      warnings: string;
      created_at: Instant;
    };
    media: {
      name: string;
      /** As in PlantEntry. */
      words: string;
      type: string;
      size: number;
      last_change: Instant;
    };
    /** The content of media in parts; each is base64. */
    media_parts: { name: string; place: number; content: string };
    events: {
      /** On SQLite the position is the id. */
      id: GeneratedAlways<number>;
      /** Null on PostgreSQL until the sequencer has numbered the committed row; see postgres/event-sequencer.ts. */
      position: GeneratedAlways<number>;
      kind: string;
      at: Instant;
      actor: string;
      station_id: number | null;
      subject_id: number | null;
      /** JSON object. */
      data: string;
      /** The previous event of the same alarm, 0 for its first; null for events outside a chain. */
      previous_id: number | null;
    };
  };

/** Every table, in an order in which rows can be restored without breaking a reference. */
export const tableNames = [
  'meta',
  'stations',
  'data_servers',
  'tag_groups',
  'users',
  'user_stations',
  'sessions',
  'sign_in_addresses',
  'sign_in_guesses',
  'api_keys',
  'api_key_stations',
  'revoked_keys',
  'schedules',
  'user_numbers',
  'teams',
  'team_members',
  'call_groups',
  'call_group_teams',
  'call_group_groupings',
  'grouping_call_groups',
  'grouping_groupings',
  'scenarios',
  'scenario_stations',
  'scenario_tag_groups',
  'alarms',
  'scenario_alarms',
  'alarm_actions',
  'alarm_words',
  'alarm_histories',
  'history_texts',
  'history_text_words',
  'history_comment_words',
  'history_series',
  'history_counts',
  'intervention_counts',
  'nodes',
  'idempotency_keys',
  'media',
  'media_parts',
  ...callTableNames,
  'command_runs',
  ...auditTableNames,
  'events',
] as const satisfies readonly (keyof Tables)[];
