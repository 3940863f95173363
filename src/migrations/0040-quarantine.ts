// Stored work that was under way when the server ended without being stopped, so that work which ends it is found.

import type { Migration } from '../store/migration.ts';

export const quarantine: Migration = {
  version: 40,
  name: 'quarantine',
  servesOlderNodes: true,
  statements: ({ int, text }) => [
    `CREATE TABLE quarantine (kind ${text} NOT NULL, subject_id ${int} NOT NULL, ends ${text} NOT NULL,
      state ${text} NOT NULL, last_end_at ${int} NOT NULL, tried_at ${int}, PRIMARY KEY (kind, subject_id))`,
  ],
};
