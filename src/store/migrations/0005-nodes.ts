// The nodes that share the database, so that one can hand a request to the node that holds its connection.

import type { Migration } from './migration.ts';

export const nodes: Migration = {
  version: 5,
  name: 'nodes',
  statements: ({ int, text, end }) => [
    `CREATE TABLE nodes (id ${text} PRIMARY KEY, address ${text} NOT NULL, seen_at ${int} NOT NULL) ${end}`,
  ],
};
