// Every time that a row holds, by table and column, and whether it stands still or moves along when the clock is set.

import type { TableName, Tables } from '../../store/tables.ts';

/**
 * `civil`: a time on the wall clock, when something happened or what somebody set: it stays when the clock is set.
 * `duration`: the begin or the end of a wait of the server, computed from its clock: it moves with the clock, so that the
 * wait lasts as long as it should.
 */
export type TimeKind = 'civil' | 'duration';

type TimesOf<T extends TableName> = { readonly [C in keyof Tables[T] & string]?: TimeKind };

const lastChange = { last_change: 'civil' } as const;

/** Held complete by test/acceptance/store/stored-times.test.ts. Tables without a time are left out. */
export const storedTimes: { readonly [T in TableName]?: TimesOf<T> } = {
  stations: lastChange,
  data_servers: lastChange,
  tag_groups: lastChange,
  users: lastChange,
  // The holder was told when it ends; and rather too early than too late.
  sessions: { created_at: 'civil', expires_at: 'civil' },
  sign_in_addresses: { last_success_at: 'civil' },
  sign_in_guesses: { at: 'duration' },
  api_keys: { created_at: 'civil', expires_at: 'civil', last_used_at: 'civil' },
  revoked_keys: { expires_at: 'civil', revoked_at: 'civil' },
  schedules: lastChange,
  number_verifications: { sent_at: 'duration', sends_since: 'duration' },
  teams: lastChange,
  call_groups: lastChange,
  call_group_groupings: lastChange,
  scenarios: lastChange,
  alarms: {
    pending_since: 'duration',
    chatter_until: 'duration',
    return_since: 'duration',
    ack_until: 'duration',
    news_due: 'duration',
    // The earliest of the waits and of the mask, whose end stays.
    next_due: 'duration',
    mask_until: 'civil',
    created_at: 'civil',
    last_change: 'civil',
    raised_at: 'civil',
    source_time: 'civil',
    reported_at: 'civil',
    ack_time: 'civil',
    first_ack_time: 'civil',
    reset_time: 'civil',
    noted_raise: 'civil',
    unacknowledged_since: 'civil',
    news_at: 'civil',
  },
  alarm_histories: { raised_at: 'civil', ack_at: 'civil', reset_at: 'civil' },
  pending_acknowledgements: { since: 'civil', at: 'civil' },
  alarm_descriptions: { ended_at: 'civil' },
  history_series: { first_raised: 'civil', noted_raise: 'civil', ended_at: 'civil' },
  nodes: { seen_at: 'duration' },
  idempotency_keys: { created_at: 'civil' },
  intake_refusals: { at: 'civil', retried_at: 'civil' },
  media: lastChange,
  providers: lastChange,
  provider_health: { since: 'civil', probe_at: 'duration' },
  provider_leases: { until: 'duration' },
  call_messages: { created_at: 'civil' },
  call_causes: {
    created_at: 'civil',
    due_at: 'duration',
    retry_at: 'duration',
    ended_at: 'civil',
    // Engine time, which no clock sets.
    round_since: 'civil',
    paused_until: 'civil',
    raised_again_at: 'civil',
  },
  call_attempts: {
    lease_until: 'duration',
    created_at: 'civil',
    took_all_at: 'civil',
    started_at: 'civil',
    accepted_at: 'civil',
    rang_at: 'civil',
    answered_at: 'civil',
    delivered_at: 'civil',
    read_at: 'civil',
    ack_at: 'civil',
    ended_at: 'civil',
  },
  // Compared with the clock in both directions.
  quarantine: { last_end_at: 'civil', tried_at: 'civil' },
  conversations: { began_at: 'civil', ended_at: 'civil' },
  phone_messages: { created_at: 'civil', answered_at: 'civil', ended_at: 'civil' },
  inbound_messages: { created_at: 'civil' },
  signing_keys: { created_at: 'civil' },
  // A run that waits is left out some time after it was created.
  command_runs: {
    created_at: 'duration',
    lease_until: 'duration',
    started_at: 'civil',
    stop_at: 'civil',
    ended_at: 'civil',
  },
  view_lists: lastChange,
  source_reports: { last_at: 'duration', silent_at: 'duration' },
  demo_plants: { made_at: 'civil', next_move_at: 'duration' },
  audit_entries: { at: 'civil' },
  audit_seals: { from_at: 'civil', to_at: 'civil', sealed_at: 'civil' },
  events: { at: 'civil' },
};

/**
 * The times in rows of `meta`, most of them fields of JSON, by the beginning of the key. Only `set-aside/` is moved when the clock is
 * set; decision 38 says for the others why they need not be.
 */
export const timesOfMeta: { readonly [key: string]: { readonly [field: string]: TimeKind } } = {
  'set-aside/': { '': 'duration' },
  // Leases: they end early, and whoever takes one then asks for it again with each piece, or with each decision.
  'pending-work': { until: 'duration' },
  'calling-lease': { until: 'duration' },
  clock: { since: 'civil', 'forwards.at': 'civil', 'aheads.at': 'civil', 'aheads.since': 'civil' },
  backups: { begunAt: 'civil', goodAt: 'civil', 'wishes.saidAt': 'civil' },
  purge: { asOf: 'civil', at: 'civil' },
  known_duty: { next: 'civil', at: 'civil' },
  calling_policy: { lastChange: 'civil' },
  store_probe: { '': 'civil' },
};

/** Returns the columns of each table that hold waits. */
export function storedDurations(): readonly { readonly table: TableName; readonly columns: readonly string[] }[] {
  return (Object.entries(storedTimes) as [TableName, Readonly<Record<string, TimeKind>>][]).flatMap(
    ([table, times]) => {
      const columns = Object.entries(times).flatMap(([column, kind]) => (kind === 'duration' ? [column] : []));
      return columns.length === 0 ? [] : [{ table, columns }];
    },
  );
}
