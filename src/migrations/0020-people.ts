// Display and last names of users.

import type { Migration } from '../store/migration.ts';

export const people: Migration = {
  version: 20,
  name: 'people',
  statements: ({ text }) => [
    `ALTER TABLE users ADD COLUMN last_name ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN display_name ${text} NOT NULL DEFAULT ''`,
  ],
};
