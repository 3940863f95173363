// Calls store when their last round failed, so that health reports an unanswered last resort until somebody answers.

import type { Migration } from '../store/migration.ts';

export const failedRounds: Migration = {
  version: 15,
  name: 'failed-rounds',
  statements: ({ int }) => [
    `ALTER TABLE calls ADD COLUMN failed_at ${int}`,
    // The time of the failure was not stored before; the next round is due after it.
    `UPDATE calls SET failed_at = started_at WHERE target_kind = 'last-resort' AND ended_at IS NULL
      AND (round > 1 OR round_end IN ('unacknowledged', 'nobody-to-call'))`,
    `CREATE INDEX calls_of_last_resort_failed ON calls (failed_at)
      WHERE target_kind = 'last-resort' AND failed_at IS NOT NULL`,
    `CREATE INDEX call_attempts_acknowledged ON call_attempts (ack_at) WHERE ack_at IS NOT NULL`,
  ],
};
