// Limits a day and costs of providers.

import type { Migration } from '../store/migration.ts';

export const tolls: Migration = {
  version: 24,
  name: 'tolls',
  statements: ({ int }) => [
    `ALTER TABLE providers ADD COLUMN per_day ${int}`,
    `ALTER TABLE providers ADD COLUMN cost_micros ${int} NOT NULL DEFAULT 0`,
  ],
};
