// Which nodes cannot open which providers, so that others carry their calls.

import type { Migration } from '../store/migration.ts';

export const unopenedProviders: Migration = {
  version: 39,
  name: 'unopened-providers',
  servesOlderNodes: true,
  statements: ({ int, text }) => [
    `CREATE TABLE unopened_providers (provider_id ${int} NOT NULL REFERENCES providers (id) ON DELETE CASCADE,
      node ${text} NOT NULL, reason ${text} NOT NULL, PRIMARY KEY (provider_id, node))`,
  ],
};
