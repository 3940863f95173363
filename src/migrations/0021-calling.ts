// Notices apart from calls, priorities of numbers, times to take an alarm, what holds the way to the next level, and how
// attempts went: when it rang, with which outcome, ended by whom, and which alarms were acknowledged.

import type { Migration } from '../store/migration.ts';

export const calling: Migration = {
  version: 21,
  name: 'calling',
  statements: ({ int, text }) => [
    `ALTER TABLE user_numbers ADD COLUMN priority_from ${int}`,
    `ALTER TABLE user_numbers ADD COLUMN priority_to ${int}`,
    `ALTER TABLE call_groups ADD COLUMN time_to_take ${int}`,
    `ALTER TABLE calls ADD COLUMN vain_rounds ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE calls ADD COLUMN level_since ${int}`,
    `ALTER TABLE calls ADD COLUMN take_by ${int}`,
    `ALTER TABLE call_cycles ADD COLUMN is_notice ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE call_cycles ADD COLUMN laters ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE call_cycles ADD COLUMN last_attempt_at ${int}`,
    `ALTER TABLE call_cycles ADD COLUMN held_since ${int}`,
    `ALTER TABLE call_attempts ADD COLUMN is_notice ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE calls ADD COLUMN ended_by ${text}`,
    `ALTER TABLE call_attempts ADD COLUMN rang_at ${int}`,
    `ALTER TABLE call_attempts ADD COLUMN outcome ${text}`,
    `ALTER TABLE call_attempts ADD COLUMN ended_by ${text}`,
    `ALTER TABLE call_attempts ADD COLUMN acknowledged ${text} NOT NULL DEFAULT '[]'`,
    `UPDATE call_attempts SET outcome = CASE WHEN state = 'cancelled' THEN 'cancelled' WHEN failure = 'wrong-pin' THEN 'locked'
      WHEN state = 'reached' AND channel IN ('voice', 'simulator') THEN 'answered' END WHERE ended_at IS NOT NULL`,
    `DROP INDEX call_attempts_due`,
    `CREATE INDEX call_attempts_wrong_pin ON call_attempts (ended_at) WHERE failure = 'wrong-pin'`,
    `CREATE INDEX call_attempts_due ON call_attempts (is_notice, priority, id) WHERE state = 'due'`,
  ],
};
