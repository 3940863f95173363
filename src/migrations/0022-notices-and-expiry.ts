// Acknowledgements that expire (until when one counts, the first one of an occurrence, why a cause was added), and numbers
// that get follow-ups; the identities of users; alarms that joined a call after people of its round were called in vain.

import type { Migration } from '../store/migration.ts';

export const noticesAndExpiry: Migration = {
  version: 22,
  name: 'notices-and-expiry',
  statements: ({ int, text, keyedEnd }) => [
    `ALTER TABLE alarms ADD COLUMN ack_until ${int}`,
    `ALTER TABLE alarms ADD COLUMN first_ack_time ${int}`,
    `ALTER TABLE alarms ADD COLUMN first_ack_user_id ${int}`,
    `ALTER TABLE call_causes ADD COLUMN origin ${text}`,
    `ALTER TABLE calls ADD COLUMN has_joined ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE user_numbers ADD COLUMN tells_taken ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE user_numbers ADD COLUMN tells_back ${int} NOT NULL DEFAULT 0`,
    `CREATE TABLE user_identities (user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE, place ${int} NOT NULL,
      kind ${text} NOT NULL, address ${text} NOT NULL, folded ${text} NOT NULL, PRIMARY KEY (kind, folded)) ${keyedEnd}`,
    `CREATE INDEX user_identities_by_user ON user_identities (user_id, place)`,
  ],
};
