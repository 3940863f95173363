// Alarms that join a call: whom they are owed to, and the most urgent priority that was called for. The names of nodes, and an index of deliveries under way. Ends
// the cycles and attempts that earlier versions left open in rounds and calls that were over.

import type { Migration } from '../store/migration.ts';

const isOver = `EXISTS (SELECT 1 FROM calls WHERE calls.id = call_cycles.call_id
  AND (calls.ended_at IS NOT NULL OR calls.round > call_cycles.round))`;

export const callsThatJoin: Migration = {
  version: 31,
  name: 'calls-that-join',
  statements: ({ int, text }) => [
    `ALTER TABLE call_cycles ADD COLUMN is_owed ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE call_cycles ADD COLUMN is_extra ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE call_causes ADD COLUMN most_urgent ${int}`,
    `ALTER TABLE call_causes ADD COLUMN retry_at ${int}`,
    `ALTER TABLE nodes ADD COLUMN name ${text}`,
    `CREATE INDEX call_attempts_in_use ON call_attempts (provider_id) WHERE state = 'started'`,
    `UPDATE call_cycles SET is_owed = 1 WHERE is_notice = 0 AND phase = 'failed' AND EXISTS (SELECT 1 FROM calls
      WHERE calls.id = call_cycles.call_id AND calls.round = call_cycles.round AND calls.ended_at IS NULL AND calls.has_joined = 1)`,
    `UPDATE call_cycles SET phase = 'ended', status = 0, due_at = NULL, hold = NULL, pause = NULL
      WHERE phase IN ('attempting', 'pausing', 'reached', 'held') AND ${isOver}`,
    `UPDATE call_attempts SET state = 'cancelled', outcome = 'cancelled', ended_by = 'system', ended_at = created_at,
      detail = 'the call was over' WHERE state = 'due' AND EXISTS (SELECT 1 FROM call_cycles
      WHERE call_cycles.id = call_attempts.cycle_id AND call_cycles.phase = 'ended')`,
    `UPDATE calls SET next_due = NULL WHERE ended_at IS NOT NULL AND next_due IS NOT NULL`,
  ],
};
