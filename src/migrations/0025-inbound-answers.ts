// Messages that people sent as answers, so that each counts once, and keys that sign what is sent to people.

import type { Migration } from '../store/migration.ts';

export const inboundAnswers: Migration = {
  version: 25,
  name: 'inbound-answers',
  statements: ({ id, int, text, end, keyedEnd }) => [
    `CREATE TABLE inbound_messages (id ${id}, source ${text} NOT NULL, message_key ${text} NOT NULL, user_id ${int},
      attempt_id ${int}, outcome ${text} NOT NULL, created_at ${int} NOT NULL) ${end}`,
    `CREATE UNIQUE INDEX inbound_messages_by_key ON inbound_messages (source, message_key)`,
    `CREATE INDEX inbound_messages_by_time ON inbound_messages (created_at)`,
    `CREATE TABLE signing_keys (name ${text} PRIMARY KEY, secret ${text} NOT NULL, created_at ${int} NOT NULL) ${keyedEnd}`,
  ],
};
