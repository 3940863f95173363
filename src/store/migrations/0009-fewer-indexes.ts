// Two indexes fewer to keep for every occurrence: an alarm remembers its newest event, which names the one before, and since
// when it has occurrences that nobody acknowledged.

import type { Migration } from './migration.ts';

export const fewerIndexes: Migration = {
  version: 9,
  name: 'fewer-indexes',
  statements: ({ int }) => [
    // 0 for the first of an alarm. Null for events that no alarm leads to, also all those from before.
    `ALTER TABLE events ADD COLUMN previous_id ${int}`,
    `ALTER TABLE alarms ADD COLUMN last_event_id ${int}`,
    `DROP INDEX events_by_subject`,
    `CREATE INDEX events_by_subject ON events (subject_id, position) WHERE previous_id IS NULL`,
    `ALTER TABLE alarms ADD COLUMN unacknowledged_since ${int}`,
    `UPDATE alarms SET unacknowledged_since = (
      SELECT min(raised_at) FROM alarm_histories WHERE alarm_id = alarms.id AND ack_at IS NULL)`,
    `DROP INDEX alarm_histories_unacknowledged`,
  ],
};
