// Indexes by which old causes, messages, recordings, conversations and simulated messages are found without reading the tables. Counts
// of the history that have become zero are removed: earlier versions left them.

import type { Migration } from '../store/migration.ts';

export const purgingByIndex: Migration = {
  version: 35,
  name: 'purging-by-index',
  servesOlderNodes: true,
  statements: () => [
    `CREATE INDEX call_causes_over_without_call ON call_causes (ended_at) WHERE call_id IS NULL AND ended_at IS NOT NULL`,
    `CREATE INDEX call_messages_by_time ON call_messages (created_at)`,
    `CREATE INDEX call_messages_recorded ON call_messages (created_at) WHERE audio <> ''`,
    `CREATE INDEX conversations_ended ON conversations (ended_at) WHERE ended_at IS NOT NULL`,
    `CREATE INDEX phone_messages_over ON phone_messages (created_at) WHERE state IN ('ended', 'delivered')`,
    `DELETE FROM history_counts WHERE entries = 0`,
    `DELETE FROM intervention_counts WHERE interventions = 0`,
  ],
};
