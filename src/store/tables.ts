// The tables as the program sees them, the same on both databases; `migrations/` makes them.

import type { Generated, GeneratedAlways } from 'kysely';
import { type CallTables, callTableNames } from './call-tables.ts';

type Flag = 0 | 1;
/** Milliseconds since 1970, UTC. */
type Instant = number;

type PlantEntry = {
  id: Generated<number>;
  name: string;
  /** The words of the name as domain/search.ts cuts them, each between spaces. */
  words: string;
  last_change: Instant;
};

export type Tables = CallTables & {
  meta: { key: string; value: string };
  stations: PlantEntry;
  data_servers: PlantEntry & { station_id: number; built_in: Flag };
  tag_groups: PlantEntry & { station_id: number };
  users: {
    id: Generated<number>;
    name: string;
    /** The name folded by domain/search.ts: two users may not differ by case or accents alone. */
    folded_name: string;
    role: string;
    password_hash: string | null;
    last_change: Instant;
    /** As in PlantEntry, of both names. */
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
  /** `place` is the order in which they are tried; times are seconds. */
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
    /** The smallest number of days before expiry that was warned of. */
    warned_days: number | null;
  };
  api_key_stations: { api_key_id: number; station_id: number };
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
    /** When a delay or a mask ends next. */
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
    /** The stretch and the text its next occurrence belongs to; null when that is not made yet. */
    series_id: number | null;
    text_id: number | null;
    /** How long all its occurrences that are over were active. */
    active_ms: number;
    /** What its series has noted, see there. */
    noted_raise: Instant;
    longest_gap: number;
    /** The group the newest history entry is of: the alarm may have moved since. */
    occurrence_group_id: number | null;
    /** No older occurrence is left that nobody acknowledged; null when none is left at all. */
    unacknowledged_since: Instant | null;
    last_event_id: number | null;
  };
  /** The words an alarm is found by. */
  alarm_words: { word: string; alarm_id: number };
  /** The actions of alarms that name a group or a user, so that they are found by it. */
  alarm_actions: { alarm_id: number; list: string; place: number; type: string; target_id: number };
  alarm_histories: {
    id: Generated<number>;
    alarm_id: number;
    station_id: number;
    data_server_id: number;
    tag_group_id: number | null;
    series_id: number;
    text_id: number;
    /** The alarm's occurrences up to this one, and how long those before it were active. */
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
  /** What entries say of their alarm, as at the raise. */
  history_texts: {
    id: Generated<number>;
    alarm_id: number;
    tag_name: string;
    message: string;
    /** Null as long as the alarm has it. */
    last_entry_id: number | null;
  };
  history_text_words: { word: string; text_id: number };
  /** The words of entries that have a comment: all of them, those of the text as well. */
  history_comment_words: { word: string; history_id: number };
  /** A stretch of occurrences of one alarm in one place. */
  history_series: {
    id: Generated<number>;
    alarm_id: number;
    station_id: number;
    data_server_id: number;
    tag_group_id: number | null;
    first_raised: Instant;
    /** A raise that is not much older than the newest one. */
    noted_raise: Instant;
    /** No two raises that followed each other were further apart; in whole hours, so that it seldom changes. */
    longest_gap: number;
    /** Its last raise when no more can come; null as long as it may go on. */
    ended_at: Instant | null;
  };
  /** Entries by step of domain/time-ladder.ts and place; no tag group is 0. */
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
  /** What a user acknowledged, by the step of the raise, once for each part of the place: see domain/place-parts.ts. */
  intervention_counts: {
    level: number;
    part: number;
    part_id: number;
    step: number;
    user_id: number;
    station_id: number;
    interventions: number;
    reaction_ms: number;
    /** Those that ended after they were acknowledged, and how long that took. */
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
  /** `actions` is a JSON object of the three lists; no station stands for every one. */
  scenarios: PlantEntry & { station_id: number | null; actions: string };
  scenario_stations: { station_id: number; scenario_id: number };
  scenario_tag_groups: { tag_group_id: number; scenario_id: number };
  scenario_alarms: { alarm_id: number; scenario_id: number };
  /** The scripts that alarms had run, or will have. */
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
    /** When it was asked to stop, while it ran. */
    stop_at: Instant | null;
    ended_at: Instant | null;
    exit_code: number | null;
    detail: string;
    lease_by: string | null;
    lease_until: Instant | null;
  };
  /** The processes that serve this database now. */
  nodes: { id: string; address: string; seen_at: Instant };
  /** Requests that may be sent again, and what the first one was answered. */
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
  /** The content of media, cut into parts; each is base64. */
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
    /** The event of the same alarm before this one, 0 for its first; null where no alarm leads here. */
    previous_id: number | null;
  };
};

/** Every table in an order in which rows can be put back without breaking a reference. */
export const tableNames = [
  'meta',
  'stations',
  'data_servers',
  'tag_groups',
  'users',
  'user_stations',
  'sessions',
  'api_keys',
  'api_key_stations',
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
  'events',
] as const satisfies readonly (keyof Tables)[];
