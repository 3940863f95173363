// Separates address words from the words that everyone who sees calls may search, and stores warnings with idempotency
// keys.

import type { Migration } from '../store/migration.ts';

export const keptApart: Migration = {
  version: 11,
  name: 'kept-apart',
  statements: ({ text }) => [
    `ALTER TABLE call_attempts ADD COLUMN address_words ${text} NOT NULL DEFAULT ''`,
    // A JSON list; empty when there are no warnings.
    `ALTER TABLE idempotency_keys ADD COLUMN warnings ${text} NOT NULL DEFAULT ''`,
  ],
};
