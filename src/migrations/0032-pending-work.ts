// Work on many rows that is done in pieces after the request for it: acknowledgements of many occurrences, and tags that move to
// another data server or take the new name of theirs. The place of an occurrence whose alarm has moved since.

import type { Migration } from '../store/migration.ts';

const entry = `FROM alarm_histories WHERE alarm_histories.id = alarms.occurrence_id`;

export const pendingWork: Migration = {
  version: 32,
  name: 'pending-work',
  statements: ({ id, int, text, end }) => [
    `CREATE TABLE pending_acknowledgements (id ${id}, alarm_id ${int} NOT NULL, since ${int} NOT NULL, up_to ${int} NOT NULL,
      at ${int} NOT NULL, user_id ${int}, user_name ${text} NOT NULL, comment ${text} NOT NULL) ${end}`,
    `CREATE TABLE pending_moves (id ${id}, data_server_id ${int} NOT NULL, moved_to ${int}, after_id ${int} NOT NULL,
      actor ${text} NOT NULL) ${end}`,
    `ALTER TABLE alarms ADD COLUMN occurrence_station_id ${int}`,
    `ALTER TABLE alarms ADD COLUMN occurrence_server_id ${int}`,
    `UPDATE alarms SET occurrence_station_id = (SELECT station_id ${entry}), occurrence_server_id = (SELECT data_server_id ${entry})
      WHERE state IN (1, 3) AND EXISTS (SELECT 1 ${entry} AND alarm_histories.data_server_id <> alarms.data_server_id)`,
  ],
};
