// What a raise leaves behind in PostgreSQL costs less: events that have no position yet are in one index less, and entries of
// the history that end together have room for it on their page.

import type { Migration } from './migration.ts';

export const lighterRaises: Migration = {
  version: 13,
  name: 'lighter-raises',
  statements: ({ kind }) => (kind === 'postgres' ? [...numberedOnly, ...roomToEnd] : []),
};

const numberedOnly = [
  `ALTER TABLE events DROP CONSTRAINT events_position_key`,
  `CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position IS NOT NULL`,
];

/** Alarms that come as a batch are neighbours in the history and end as a batch: with 70 half of them found no room. */
const roomToEnd = [`ALTER TABLE alarm_histories SET (fillfactor = 50)`];
