// The schema that the store is opened with: the migrations, and what it must know of the tables they make.

import type { Schema } from '../store/schema.ts';
import type { TableName } from '../store/tables.ts';
import { migrations } from './migrations.ts';

/** Every table, in an order in which rows can be restored without breaking a reference. */
const tables = [
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
  'schedule_overrides',
  'user_numbers',
  'user_identities',
  'number_verifications',
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
  'alarm_descriptions',
  'alarm_histories',
  'history_texts',
  'history_text_words',
  'history_comment_words',
  'history_series',
  'pending_acknowledgements',
  'pending_moves',
  'history_counts',
  'intervention_counts',
  'nodes',
  'idempotency_keys',
  'intake_refusals',
  'media',
  'media_parts',
  'providers',
  'provider_health',
  'provider_leases',
  'call_messages',
  'call_causes',
  'call_attempts',
  'call_turns',
  'conversations',
  'phone_messages',
  'inbound_messages',
  'signing_keys',
  'command_runs',
  'view_lists',
  'source_reports',
  'demo_plants',
  'demo_entries',
  'audit_entries',
  'audit_seals',
  'events',
] as const satisfies readonly TableName[];

export const schema: Schema = {
  migrations,
  tables,
  // The first start creates an administrator.
  filledAtStart: 'users',
  // Without them the alarms would be lost as well, and people bound to a station would not be bound any more.
  withStandIns: ['stations', 'data_servers'],
  // The newest event of an alarm; after a restore its events are found by their subject.
  internalColumns: { alarms: ['last_event_id', 'news_event_id'] },
  // Bodies of requests that were never accepted, codes that are valid for minutes, keys that sign links, and what a running
  // node holds or sees.
  notInBackups: ['intake_refusals', 'number_verifications', 'provider_health', 'provider_leases', 'signing_keys'],
};
