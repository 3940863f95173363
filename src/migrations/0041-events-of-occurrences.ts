// Where the events of an occurrence are in the chain of its alarm, so that an old one is told without walking through all
// that came after it.

import type { Migration } from '../store/migration.ts';

export const eventsOfOccurrences: Migration = {
  version: 41,
  name: 'events-of-occurrences',
  servesOlderNodes: true,
  statements: ({ int }) => [`ALTER TABLE alarm_histories ADD COLUMN event_id ${int}`],
};
