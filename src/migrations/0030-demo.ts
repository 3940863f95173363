// The demo plant: how far it is made or removed, when its next alarm comes, and which entries belong to it.

import type { Migration } from '../store/migration.ts';

export const demo: Migration = {
  version: 30,
  name: 'demo',
  statements: ({ int, text, end }) => [
    `CREATE TABLE demo_plants (id ${int} NOT NULL PRIMARY KEY, state ${text} NOT NULL, step ${text} NOT NULL, done ${int} NOT NULL,
      seed ${int} NOT NULL, time_zone ${text} NOT NULL, made_by ${text} NOT NULL, made_at ${int} NOT NULL,
      removed_by ${text}, moves ${int} NOT NULL, next_move_at ${int}) ${end}`,
    `CREATE TABLE demo_entries (kind ${text} NOT NULL, name ${text} NOT NULL, entry_id ${int} NOT NULL,
      PRIMARY KEY (kind, name)) ${end}`,
  ],
};
