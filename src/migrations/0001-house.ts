// The first schema: stations and their data servers and tag groups, users and API keys, and the event log.

import type { Migration, Words } from '../store/migration.ts';

export const house: Migration = {
  version: 1,
  name: 'house',
  statements: (words) => [...directory(words), ...access(words), ...eventLog(words)],
};

function directory({ id, int, text, end }: Words): string[] {
  const entry = `id ${id}, name ${text} NOT NULL, words ${text} NOT NULL, last_change ${int} NOT NULL`;
  return [
    `CREATE TABLE meta (key ${text} PRIMARY KEY, value ${text} NOT NULL) ${end}`,
    `CREATE TABLE stations (${entry}, UNIQUE (name)) ${end}`,
    `CREATE TABLE data_servers (${entry}, station_id ${int} NOT NULL REFERENCES stations (id),
      built_in ${int} NOT NULL, UNIQUE (station_id, name)) ${end}`,
    `CREATE TABLE tag_groups (${entry}, station_id ${int} NOT NULL REFERENCES stations (id),
      UNIQUE (station_id, name)) ${end}`,
  ];
}

function access({ id, int, text, end }: Words): string[] {
  return [
    `CREATE TABLE users (id ${id}, name ${text} NOT NULL, folded_name ${text} NOT NULL UNIQUE,
      role ${text} NOT NULL, password_hash ${text}, last_change ${int} NOT NULL) ${end}`,
    `CREATE TABLE user_stations (user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      station_id ${int} NOT NULL REFERENCES stations (id), PRIMARY KEY (user_id, station_id)) ${end}`,
    `CREATE INDEX user_stations_by_station ON user_stations (station_id)`,
    `CREATE TABLE sessions (id ${id}, user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      token_hash ${text} NOT NULL UNIQUE, address ${text} NOT NULL, created_at ${int} NOT NULL,
      expires_at ${int} NOT NULL) ${end}`,
    `CREATE INDEX sessions_by_user ON sessions (user_id)`,
    `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
    `CREATE TABLE api_keys (id ${id}, name ${text} NOT NULL UNIQUE, token_hash ${text} NOT NULL UNIQUE,
      scopes ${text} NOT NULL, created_by ${text} NOT NULL, created_at ${int} NOT NULL, expires_at ${int} NOT NULL,
      last_used_at ${int}, warned_days ${int}) ${end}`,
    `CREATE TABLE api_key_stations (api_key_id ${int} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      station_id ${int} NOT NULL REFERENCES stations (id), PRIMARY KEY (api_key_id, station_id)) ${end}`,
    `CREATE INDEX api_key_stations_by_station ON api_key_stations (station_id)`,
  ];
}

function eventLog({ kind, id, int, text, end }: Words): string[] {
  const columns = `kind ${text} NOT NULL, at ${int} NOT NULL, actor ${text} NOT NULL, station_id ${int},
    subject_id ${int}, data ${text} NOT NULL`;
  // SQLite commits one transaction after another, so the id is the position. PostgreSQL assigns ids before commits and
  // in another order: there the position stays null until the sequencer numbers the committed row.
  if (kind === 'sqlite') return [`CREATE TABLE events (position ${id}, ${columns}) ${end}`];
  return [
    `CREATE TABLE events (id ${id}, position ${int} UNIQUE, ${columns})`,
    `CREATE INDEX events_without_position ON events (id) WHERE position IS NULL`,
    `CREATE TABLE event_counter (last ${int} NOT NULL)`,
    `INSERT INTO event_counter (last) VALUES (0)`,
  ];
}
