// Revoked API keys are kept until they would have expired, so that a restored backup does not revive them.

import type { Migration } from '../store/migration.ts';

export const revokedKeys: Migration = {
  version: 18,
  name: 'revoked-keys',
  statements: ({ int, text, keyedEnd }) => [
    `CREATE TABLE revoked_keys (token_hash ${text} PRIMARY KEY, key_id ${int} NOT NULL, name ${text} NOT NULL,
      expires_at ${int} NOT NULL, revoked_at ${int} NOT NULL) ${keyedEnd}`,
  ],
};
