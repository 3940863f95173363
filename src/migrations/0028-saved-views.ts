// Saved views of consoles: one list for each user, for each station, and for all stations.

import type { Migration } from '../store/migration.ts';

export const savedViews: Migration = {
  version: 28,
  name: 'saved-views',
  statements: ({ int, text, end }) => [
    `CREATE TABLE view_lists (owner ${text} NOT NULL PRIMARY KEY,
      user_id ${int} REFERENCES users (id) ON DELETE CASCADE, station_id ${int} REFERENCES stations (id) ON DELETE CASCADE,
      views ${text} NOT NULL, last_change ${int} NOT NULL) ${end}`,
    `CREATE INDEX view_lists_shared ON view_lists (owner) WHERE user_id IS NULL`,
  ],
};
