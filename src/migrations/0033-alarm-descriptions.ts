// What alarms are called in events, stored once for all events that show the same.

import type { Migration } from '../store/migration.ts';

export const alarmDescriptions: Migration = {
  version: 33,
  name: 'alarm-descriptions',
  statements: ({ id, int, text, end }) => [
    `CREATE TABLE alarm_descriptions (id ${id}, data_server_id ${int} NOT NULL, content ${text} NOT NULL, ended_at ${int}) ${end}`,
    `CREATE INDEX alarm_descriptions_ended ON alarm_descriptions (ended_at) WHERE ended_at IS NOT NULL`,
    `ALTER TABLE alarms ADD COLUMN description_id ${int}`,
  ],
};
