// The words of addresses apart from those anybody who sees calls may search, and the warnings of an answer with the answer.

import type { Migration } from './migration.ts';

export const keptApart: Migration = {
  version: 11,
  name: 'kept-apart',
  statements: ({ text }) => [
    `ALTER TABLE call_attempts ADD COLUMN address_words ${text} NOT NULL DEFAULT ''`,
    // A JSON list; empty for none.
    `ALTER TABLE idempotency_keys ADD COLUMN warnings ${text} NOT NULL DEFAULT ''`,
  ],
};
