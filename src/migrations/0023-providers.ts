// Providers of channels with their health and leases, the provider and progress of attempts, and conversations apart from
// the simulated phones.

import type { Migration, Words } from '../store/migration.ts';

export const providers: Migration = {
  version: 23,
  name: 'providers',
  statements: (words) => [...providerTables(words), ...progressOfAttempts(words), ...conversations(words)],
};

function providerTables({ id, int, text, end, keyedEnd }: Words): string[] {
  return [
    `CREATE TABLE providers (id ${id}, name ${text} NOT NULL, words ${text} NOT NULL, channel ${text} NOT NULL,
      kind ${text} NOT NULL, place ${int} NOT NULL, is_enabled ${int} NOT NULL, lines ${int}, per_second ${int},
      countries ${text} NOT NULL, node ${text}, settings ${text} NOT NULL, secrets ${text} NOT NULL,
      last_change ${int} NOT NULL) ${end}`,
    `CREATE TABLE provider_health (provider_id ${int} PRIMARY KEY REFERENCES providers (id) ON DELETE CASCADE,
      state ${text} NOT NULL, since ${int} NOT NULL, failures ${int} NOT NULL, probe_at ${int} NOT NULL,
      reason ${text} NOT NULL) ${keyedEnd}`,
    `CREATE TABLE provider_leases (provider_id ${int} PRIMARY KEY REFERENCES providers (id) ON DELETE CASCADE,
      node ${text} NOT NULL, until ${int} NOT NULL) ${keyedEnd}`,
  ];
}

function progressOfAttempts({ int, text }: Words): string[] {
  return [
    `ALTER TABLE call_attempts ADD COLUMN provider_id ${int}`,
    `ALTER TABLE call_attempts ADD COLUMN provider_ref ${text}`,
    `ALTER TABLE call_attempts ADD COLUMN tried_providers ${text} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE call_attempts ADD COLUMN accepted_at ${int}`,
    `ALTER TABLE call_attempts ADD COLUMN delivered_at ${int}`,
    `ALTER TABLE call_attempts ADD COLUMN read_at ${int}`,
    `CREATE INDEX call_attempts_by_provider ON call_attempts (provider_id, started_at) WHERE provider_id IS NOT NULL`,
    `CREATE INDEX call_attempts_by_ref ON call_attempts (provider_ref) WHERE provider_ref IS NOT NULL`,
  ];
}

/** A simulated phone kept its conversation in the row of its message. */
function conversations({ id, int, text, end }: Words): string[] {
  return [
    `CREATE TABLE conversations (id ${id}, attempt_id ${int}, user_id ${int} NOT NULL, menu ${text} NOT NULL,
      began_at ${int} NOT NULL, ended_at ${int}) ${end}`,
    `CREATE UNIQUE INDEX conversations_by_attempt ON conversations (attempt_id)`,
    `INSERT INTO conversations (attempt_id, user_id, menu, began_at)
      SELECT attempt_id, user_id, script, created_at FROM phone_messages
      WHERE attempt_id IS NOT NULL AND state IN ('ringing', 'answered') ORDER BY id`,
    `ALTER TABLE phone_messages DROP COLUMN script`,
  ];
}
