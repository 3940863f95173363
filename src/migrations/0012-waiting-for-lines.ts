// An index that finds held contact cycles by user when one of the user's lines becomes free.

import type { Migration } from '../store/migration.ts';

export const waitingForLines: Migration = {
  version: 12,
  name: 'waiting-for-lines',
  statements: () => [`CREATE INDEX call_cycles_held ON call_cycles (user_id) WHERE phase = 'held'`],
};
