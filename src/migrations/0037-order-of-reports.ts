// When the last report without a time of its source arrived, by which later ones with a time are ordered.

import type { Migration } from '../store/migration.ts';

export const orderOfReports: Migration = {
  version: 37,
  name: 'order-of-reports',
  servesOlderNodes: true,
  statements: ({ int }) => [`ALTER TABLE alarms ADD COLUMN reported_at ${int}`],
};
