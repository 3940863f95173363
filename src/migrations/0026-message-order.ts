// An index of due webhooks, so that the order of their messages is looked up among them and not among all due attempts.

import type { Migration } from '../store/migration.ts';

export const messageOrder: Migration = {
  version: 26,
  name: 'message-order',
  statements: () => [
    `CREATE INDEX call_attempts_due_webhooks ON call_attempts (cycle_id) WHERE state = 'due' AND channel = 'webhook'`,
  ],
};
