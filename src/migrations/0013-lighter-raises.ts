// Cheaper raises on PostgreSQL: unnumbered events are in one index fewer, and history entries that end together have
// room on their page.

import type { Migration } from '../store/migration.ts';

export const lighterRaises: Migration = {
  version: 13,
  name: 'lighter-raises',
  statements: ({ kind }) => (kind === 'postgres' ? [...numberedOnly, ...roomToEnd] : []),
};

const numberedOnly = [
  `ALTER TABLE events DROP CONSTRAINT events_position_key`,
  `CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position IS NOT NULL`,
];

/**
 * Alarms raised as a batch are adjacent in the history and end as a batch: with 70, half of those updates found no
 * room.
 */
const roomToEnd = [`ALTER TABLE alarm_histories SET (fillfactor = 50)`];
