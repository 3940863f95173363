// Alarms: definition and current state, actions, one history entry per occurrence, and idempotency keys.

import type { Migration, Words } from '../store/migration.ts';

export const alarms: Migration = {
  version: 2,
  name: 'alarms',
  statements: (words) => [...alarmTables(words), ...historyTables(words), ...aroundThem(words)],
};

function alarmTables({ kind, id, int, text, end }: Words): string[] {
  // PostgreSQL cannot index a text longer than about 2,700 bytes, and a path may have 4,096.
  const key = (column: string): string => (kind === 'postgres' ? `md5(${column})` : column);
  return [
    `CREATE TABLE alarms (id ${id},
      station_id ${int} NOT NULL REFERENCES stations (id),
      data_server_id ${int} NOT NULL REFERENCES data_servers (id),
      tag_group_id ${int} REFERENCES tag_groups (id),
      path ${text} NOT NULL, name ${text} NOT NULL, words ${text} NOT NULL,
      priority ${int} NOT NULL, value ${text} NOT NULL, definition ${text} NOT NULL,
      state ${int} NOT NULL, is_latched ${int} NOT NULL, pending_since ${int}, raised_at ${int}, source_time ${int},
      created_at ${int} NOT NULL, last_change ${int} NOT NULL, next_due ${int},
      mask_until ${int}, mask_reason ${text}, mask_by ${text},
      ack_time ${int}, ack_user ${text} NOT NULL, ack_user_id ${int}, reset_time ${int}, comment ${text} NOT NULL,
      occurrence_id ${int}, occurrences ${int} NOT NULL) ${end}`,
    `CREATE UNIQUE INDEX alarms_by_path ON alarms (data_server_id, ${key('path')})`,
    `CREATE UNIQUE INDEX alarms_by_name ON alarms (${key('name')})`,
    // The most requested list: alarms that are not at rest or are masked.
    `CREATE INDEX alarms_current ON alarms (id) WHERE state <> 0 OR mask_until IS NOT NULL`,
    `CREATE INDEX alarms_by_station ON alarms (station_id, id)`,
    `CREATE INDEX alarms_by_tag_group ON alarms (tag_group_id, id)`,
    `CREATE INDEX alarms_by_due ON alarms (next_due) WHERE next_due IS NOT NULL`,
    `CREATE TABLE alarm_actions (alarm_id ${int} NOT NULL REFERENCES alarms (id) ON DELETE CASCADE,
      list ${text} NOT NULL, place ${int} NOT NULL, type ${text} NOT NULL, target_id ${int} NOT NULL,
      PRIMARY KEY (alarm_id, list, place)) ${end}`,
    `CREATE INDEX alarm_actions_by_target ON alarm_actions (type, target_id)`,
  ];
}

function historyTables({ id, int, text, end }: Words): string[] {
  return [
    // The texts of an entry are as at the raise and remain when the alarm is changed or removed.
    `CREATE TABLE alarm_histories (id ${id}, alarm_id ${int} NOT NULL,
      station_id ${int} NOT NULL, data_server_id ${int} NOT NULL, tag_group_id ${int},
      tag_name ${text} NOT NULL, message ${text} NOT NULL, words ${text} NOT NULL,
      priority ${int} NOT NULL, code ${int} NOT NULL,
      raised_at ${int} NOT NULL, ack_at ${int}, ack_user_id ${int}, ack_user ${text}, reset_at ${int},
      comment ${text} NOT NULL, comment_words ${text} NOT NULL) ${end}`,
    `CREATE INDEX alarm_histories_by_alarm ON alarm_histories (alarm_id, id)`,
    `CREATE INDEX alarm_histories_by_station ON alarm_histories (station_id, id)`,
    `CREATE INDEX alarm_histories_by_server ON alarm_histories (data_server_id, id)`,
    `CREATE INDEX alarm_histories_by_tag_group ON alarm_histories (tag_group_id, id)`,
    `CREATE INDEX alarm_histories_by_user ON alarm_histories (ack_user_id, id)`,
    `CREATE INDEX alarm_histories_by_raise ON alarm_histories (raised_at)`,
  ];
}

function aroundThem({ int, text, end }: Words): string[] {
  return [
    // The timeline of an alarm is read from the event log.
    `CREATE INDEX events_by_subject ON events (subject_id, position)`,
    `CREATE TABLE idempotency_keys (actor ${text} NOT NULL, key ${text} NOT NULL, body_hash ${text} NOT NULL,
      answer ${int} NOT NULL, created_at ${int} NOT NULL, PRIMARY KEY (actor, key)) ${end}`,
    `CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)`,
  ];
}
