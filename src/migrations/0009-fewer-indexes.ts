// Two indexes fewer to update per occurrence: an alarm refers to its newest event, which refers to the previous one,
// and stores since when it has unacknowledged occurrences.

import type { Migration } from '../store/migration.ts';

export const fewerIndexes: Migration = {
  version: 9,
  name: 'fewer-indexes',
  statements: ({ int }) => [
    // 0 for an alarm's first event; null for events outside a chain, including all older ones.
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
