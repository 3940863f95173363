// The nodes that share the database, so that a node can forward a request to the node that holds the connection.

import type { Migration } from '../store/migration.ts';

export const nodes: Migration = {
  version: 5,
  name: 'nodes',
  statements: ({ int, text, end }) => [
    `CREATE TABLE nodes (id ${text} PRIMARY KEY, address ${text} NOT NULL, seen_at ${int} NOT NULL) ${end}`,
  ],
};
