// People and their numbers, teams, call groups, groupings and schedules, and scenarios with their attachments.

import type { Migration, Words } from '../store/migration.ts';

export const directory: Migration = {
  version: 6,
  name: 'directory',
  statements: (words) => [...people(words), ...schedulesAndTeams(words), ...callGroups(words), ...scenarios(words)],
};

/** Separators at which existing names are split into words; later changes use domain/search.ts. */
const separators = ['.', '-', '_', '@', "''", ',', '/'];

function people({ int, text }: Words): string[] {
  const column = (definition: string): string => `ALTER TABLE users ADD COLUMN ${definition}`;
  const cut = separators.reduce((expression, mark) => `replace(${expression}, '${mark}', ' ')`, 'folded_name');
  return [
    column(`words ${text} NOT NULL DEFAULT ' '`),
    column(`first_name ${text} NOT NULL DEFAULT ''`),
    column(`language ${text} NOT NULL DEFAULT 'en'`),
    column(`time_zone ${text} NOT NULL DEFAULT 'UTC'`),
    column(`status_id ${int} NOT NULL DEFAULT 1`),
    column(`on_duty ${int} NOT NULL DEFAULT 1`),
    // No foreign key, because the column refers to its own table (as relief_group_id does) and rows are restored in the
    // order of their ids.
    column(`replaced_by_id ${int}`),
    column(`virtual ${int} NOT NULL DEFAULT 0`),
    column(`pin_hash ${text}`),
    `UPDATE users SET words = ' ' || ${cut} || ' '`,
    `CREATE INDEX users_by_replacement ON users (replaced_by_id) WHERE replaced_by_id IS NOT NULL`,
  ];
}

function schedulesAndTeams({ id, int, text, end }: Words): string[] {
  const entry = `id ${id}, name ${text} NOT NULL UNIQUE, words ${text} NOT NULL, last_change ${int} NOT NULL`;
  return [
    `CREATE TABLE schedules (${entry}, definition ${text} NOT NULL) ${end}`,
    `CREATE TABLE user_numbers (id ${id}, user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      place ${int} NOT NULL, channel ${text} NOT NULL, address ${text} NOT NULL, valid ${int} NOT NULL,
      verified ${int} NOT NULL, final ${int} NOT NULL, count_try ${int} NOT NULL, time_to_retry ${int} NOT NULL,
      count_ack ${int} NOT NULL, time_to_ack ${int} NOT NULL, ack_auto_default ${int} NOT NULL,
      schedule_id ${int} REFERENCES schedules (id)) ${end}`,
    `CREATE INDEX user_numbers_by_user ON user_numbers (user_id, place)`,
    `CREATE INDEX user_numbers_by_schedule ON user_numbers (schedule_id) WHERE schedule_id IS NOT NULL`,
    `CREATE TABLE teams (${entry}, colour ${text} NOT NULL) ${end}`,
    `CREATE TABLE team_members (team_id ${int} NOT NULL REFERENCES teams (id) ON DELETE CASCADE, place ${int} NOT NULL,
      user_id ${int} NOT NULL REFERENCES users (id), relief ${int} NOT NULL, PRIMARY KEY (team_id, place)) ${end}`,
    `CREATE INDEX team_members_by_user ON team_members (user_id)`,
  ];
}

function callGroups({ id, int, text, end }: Words): string[] {
  const entry = `id ${id}, name ${text} NOT NULL, words ${text} NOT NULL, last_change ${int} NOT NULL,
    station_id ${int} NOT NULL REFERENCES stations (id)`;
  const member = (owner: string, owners: string, member: string, members: string): string =>
    `(${owner} ${int} NOT NULL REFERENCES ${owners} (id) ON DELETE CASCADE, place ${int} NOT NULL,
      ${member} ${int} NOT NULL REFERENCES ${members} (id), PRIMARY KEY (${owner}, place)) ${end}`;
  return [
    `CREATE TABLE call_groups (${entry}, names ${text} NOT NULL, time_zone ${text} NOT NULL, call_mode ${text} NOT NULL,
      relief_mode ${text} NOT NULL, relief_group_id ${int}, discard_when_nobody ${int} NOT NULL,
      schedule_id ${int} REFERENCES schedules (id), UNIQUE (station_id, name)) ${end}`,
    `CREATE INDEX call_groups_by_relief ON call_groups (relief_group_id) WHERE relief_group_id IS NOT NULL`,
    `CREATE INDEX call_groups_by_schedule ON call_groups (schedule_id) WHERE schedule_id IS NOT NULL`,
    `CREATE TABLE call_group_teams ${member('call_group_id', 'call_groups', 'team_id', 'teams')}`,
    `CREATE INDEX call_group_teams_by_team ON call_group_teams (team_id)`,
    `CREATE TABLE call_group_groupings (${entry}, UNIQUE (station_id, name)) ${end}`,
    `CREATE TABLE grouping_call_groups ${member('grouping_id', 'call_group_groupings', 'call_group_id', 'call_groups')}`,
    `CREATE INDEX grouping_call_groups_by_group ON grouping_call_groups (call_group_id)`,
    `CREATE TABLE grouping_groupings ${member('grouping_id', 'call_group_groupings', 'member_id', 'call_group_groupings')}`,
    `CREATE INDEX grouping_groupings_by_member ON grouping_groupings (member_id)`,
  ];
}

function scenarios({ id, int, text, end, keyedEnd }: Words): string[] {
  // Deleting a station, tag group or alarm deletes its attachments; an attached scenario cannot be deleted.
  const attached = (table: string, column: string, to: string): string[] => [
    `CREATE TABLE ${table} (${column} ${int} NOT NULL REFERENCES ${to} (id) ON DELETE CASCADE,
      scenario_id ${int} NOT NULL REFERENCES scenarios (id), PRIMARY KEY (${column}, scenario_id)) ${keyedEnd}`,
    `CREATE INDEX ${table}_by_scenario ON ${table} (scenario_id)`,
  ];
  return [
    `CREATE TABLE scenarios (id ${id}, name ${text} NOT NULL UNIQUE, words ${text} NOT NULL, last_change ${int} NOT NULL,
      station_id ${int} REFERENCES stations (id), actions ${text} NOT NULL) ${end}`,
    ...attached('scenario_stations', 'station_id', 'stations'),
    ...attached('scenario_tag_groups', 'tag_group_id', 'tag_groups'),
    ...attached('scenario_alarms', 'alarm_id', 'alarms'),
  ];
}
