// Whoever is held back is found by person, when a line of theirs is free again.

import type { Migration } from './migration.ts';

export const waitingForLines: Migration = {
  version: 12,
  name: 'waiting-for-lines',
  statements: () => [`CREATE INDEX call_cycles_held ON call_cycles (user_id) WHERE phase = 'held'`],
};
