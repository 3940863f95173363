// Script runs caused by alarms; each has a row from the moment it is requested.

import type { Migration } from '../store/migration.ts';

export const commands: Migration = {
  version: 8,
  name: 'commands',
  statements: ({ id, int, text, end }) => [
    `CREATE TABLE command_runs (id ${id}, alarm_id ${int} NOT NULL, alarm_path ${text} NOT NULL,
      station_id ${int} NOT NULL, script_id ${int} NOT NULL, parameter ${text} NOT NULL, state ${text} NOT NULL,
      created_at ${int} NOT NULL, started_at ${int}, stop_at ${int}, ended_at ${int}, exit_code ${int},
      detail ${text} NOT NULL, lease_by ${text}, lease_until ${int}) ${end}`,
    `CREATE INDEX command_runs_due ON command_runs (id) WHERE state = 'due'`,
    `CREATE INDEX command_runs_leased ON command_runs (lease_until) WHERE state = 'started'`,
    `CREATE INDEX command_runs_open_by_alarm ON command_runs (alarm_id) WHERE ended_at IS NULL`,
    `CREATE INDEX command_runs_by_end ON command_runs (ended_at) WHERE ended_at IS NOT NULL`,
  ],
};
