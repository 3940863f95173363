// Each cause of a call becomes an escalation of its own, and attempts know what they are for. Calls under way go on with the tries
// counted so far, for every alarm of the call; the calls and contact cycles of earlier versions go.

import type { Migration, Words } from '../store/migration.ts';

export const escalations: Migration = {
  version: 38,
  name: 'escalations',
  statements: (words) => [...newColumns(words), ...foldedCauses(words), ...foldedAttempts(words), ...indexes],
};

function newColumns({ int, text }: Words): readonly string[] {
  const count = `${int} NOT NULL DEFAULT 0`;
  const list = `${text} NOT NULL DEFAULT '[]'`;
  const added = {
    call_causes: [
      `cause_id ${int}`,
      `state ${text} NOT NULL DEFAULT 'done'`,
      `round ${count}`,
      `round_since ${int}`,
      `acted_priority ${int}`,
      `entered ${list}`,
      `picked ${list}`,
      `paused_until ${int}`,
      `raised_again_at ${int}`,
      `rounds_in_vain ${count}`,
      `trouble ${text}`,
      `reason ${text}`,
      `version ${count}`,
      `attempts_from ${int}`,
      `earlier ${list}`,
    ],
    call_attempts: [
      `kind ${text} NOT NULL DEFAULT 'call'`,
      `reason ${text}`,
      `tries ${list}`,
      `announced_causes ${text}`,
      `is_urgent ${count}`,
      `is_exempt ${count}`,
      `is_final ${count}`,
      `counts ${count}`,
      `retry_after_ms ${int}`,
      `answers ${list}`,
      `took_all_at ${int}`,
      `cancel_reason ${text}`,
      `version ${count}`,
    ],
  };
  const failed = `ALTER TABLE provider_health ADD COLUMN failed ${list}`;
  return [failed, ...addedColumns(added)];
}

function addedColumns(added: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(added).flatMap(([table, columns]) =>
    columns.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column}`),
  );
}

type Aggregate = (value: string) => string;

/** A list of JSON values as text. */
const listOf: Record<Words['kind'], Aggregate> = {
  sqlite: (value) => `'[' || coalesce(group_concat(${value}, ','), '') || ']'`,
  postgres: (value) => `'[' || coalesce(string_agg(${value}, ','), '') || ']'`,
};

/** The level that a cycle of a call belongs to. */
const level = `CASE WHEN calls.target_kind = 'number' THEN 'user ' || cycle.user_id
  WHEN calls.target_kind = 'user' THEN 'user ' || calls.target_id
  WHEN cycle.group_id IS NULL THEN 'administrators'
  WHEN cycle.is_relief = 1 THEN 'relief ' || cycle.group_id ELSE 'duty ' || cycle.group_id END`;

const anyCycles = `call_cycles AS cycle JOIN calls ON calls.id = cycle.call_id`;
/** The cycles of the rounds that are under way. */
const cycles = `${anyCycles} AND calls.round = cycle.round AND calls.ended_at IS NULL`;

/** An alarm that nobody has taken although its calling has ended: answers to it count. */
const isUntaken = `ended_by = 'call' AND kind = 'alarm' AND list = 'alarm' AND EXISTS (SELECT 1 FROM alarms
  WHERE alarms.id = call_causes.alarm_id AND alarms.occurrence_id = call_causes.history_id AND alarms.state IN (2, 3))`;

const firstAttempt = `(SELECT min(created_at) FROM call_attempts WHERE call_attempts.cycle_id = cycle.id)`;
const levelBegan = `coalesce(${firstAttempt}, calls.level_since, calls.started_at)`;
const ofCall = 'SELECT %s FROM calls WHERE calls.id = call_causes.call_id AND calls.ended_at IS NULL';

function foldedCauses({ kind }: Words): readonly string[] {
  const entered = `SELECT level, min(since) AS since FROM (SELECT cycle.id, ${level} AS level, ${levelBegan} AS since FROM ${cycles}
    WHERE cycle.is_notice = 0 AND calls.id = call_causes.call_id) AS known GROUP BY level ORDER BY min(id)`;
  const picked = `SELECT ${level} AS level, cycle.user_id, ${levelBegan} AS since FROM ${cycles}
    JOIN call_groups ON call_groups.id = cycle.group_id WHERE cycle.is_notice = 0 AND calls.id = call_causes.call_id
    AND ((call_groups.call_mode = 'turn' AND cycle.is_relief = 0)
      OR (call_groups.relief_mode = 'perUser' AND cycle.is_relief = 1))`;
  const fromCall = (value: string): string => `(${ofCall.replace('%s', value)})`;
  return [
    `UPDATE call_causes SET state = 'exhausted', acted_priority = priority, round = 1, cause_id = id,
      ended_at = NULL, ended_by = NULL, end_reason = NULL WHERE ${isUntaken}`,
    `UPDATE call_causes SET state = 'open', acted_priority = CASE WHEN call_id IS NULL THEN NULL
        WHEN coalesce(most_urgent, priority) < priority THEN most_urgent ELSE priority END,
      cause_id = coalesce((SELECT min(other.id) FROM call_causes AS other WHERE other.ended_at IS NULL
        AND other.kind = 'alarm' AND call_causes.kind = 'alarm' AND other.alarm_id = call_causes.alarm_id
        AND other.list = call_causes.list AND coalesce(other.history_id, 0) = coalesce(call_causes.history_id, 0)), id)
      WHERE ended_at IS NULL AND state <> 'exhausted'`,
    `UPDATE call_causes SET round = ${fromCall('round')}, rounds_in_vain = ${fromCall('vain_rounds')},
      paused_until = ${fromCall("CASE WHEN phase = 'pausing' THEN due_at END")},
      round_since = coalesce((SELECT min(${levelBegan}) FROM ${cycles} WHERE calls.id = call_causes.call_id),
        ${fromCall('coalesce(level_since, started_at)')}),
      attempts_from = (SELECT min(call_attempts.id) FROM call_attempts WHERE call_attempts.call_id = call_causes.call_id),
      entered = (SELECT ${listOf[kind](`'{"key":"' || level || '","at":' || since || ',"reason":{"code":"raised"}}'`)}
        FROM (${entered}) AS levels),
      picked = (SELECT ${listOf[kind](`'{"key":"' || level || '","userId":' || user_id || ',"at":' || since || '}'`)}
        FROM (${picked}) AS picks)
      WHERE ended_at IS NULL AND EXISTS (${ofCall.replace('%s', '1')})`,
  ];
}

function foldedAttempts({ kind }: Words): readonly string[] {
  const list = listOf[kind];
  const ofRound = `EXISTS (SELECT 1 FROM ${cycles} WHERE cycle.id = call_attempts.cycle_id)`;
  const isNeeded = `call_id IN (SELECT call_id FROM call_causes WHERE state <> 'done')`;
  const causes = 'call_causes AS cause WHERE cause.call_id = call_attempts.call_id AND cause.ended_at IS NULL';
  const levelOf = `(SELECT ${level} FROM ${anyCycles} WHERE cycle.id = call_attempts.cycle_id)`;
  const answers = (answer: string, at: string): string =>
    `(SELECT ${list(`'[' || cause.cause_id || ',"${answer}",' || ${at} || ']'`)} FROM ${causes})`;
  const askedLater = `(SELECT cycle.due_at - 300000 FROM ${cycles} WHERE cycle.id = call_attempts.cycle_id
    AND cycle.phase = 'pausing' AND cycle.pause = 'asked-later')`;
  const isAnswered = `(answered_at IS NOT NULL OR EXISTS (SELECT 1 FROM conversations
    WHERE conversations.attempt_id = call_attempts.id AND conversations.menu LIKE '%"state":%'))`;
  const isLast = `call_attempts.id = (SELECT max(other.id) FROM call_attempts AS other WHERE other.cycle_id = call_attempts.cycle_id)`;
  return [
    `UPDATE call_attempts SET kind = 'notice' WHERE is_notice = 1`,
    `UPDATE call_attempts SET counts = CASE WHEN outcome IN ('providerDown', 'limited') THEN 0 ELSE 1 END,
      is_final = CASE WHEN outcome = 'badNumber' THEN 1 ELSE 0 END
      WHERE state = 'failed' AND number_id IS NOT NULL AND ${isNeeded}`,
    // Early versions noted neither outcomes nor when a telephone rang; the cap counts telephones that did.
    `UPDATE call_attempts SET rang_at = started_at
      WHERE rang_at IS NULL AND state = 'failed' AND coalesce(outcome, 'noAnswer') IN ('noAnswer', 'voicemail') AND ${isNeeded}`,
    `UPDATE call_attempts SET is_urgent = CASE WHEN priority <= 1 THEN 1 ELSE 0 END,
      tries = (SELECT ${list(`'[' || cause.cause_id || ',' || cause.id || ',"' || ${levelOf} || '"]'`)} FROM ${causes}),
      announced_causes = CASE WHEN state = 'reached' OR ${isAnswered} OR channel NOT IN ('', 'voice', 'simulator')
        THEN (SELECT ${list("'' || cause.cause_id")} FROM ${causes}) END WHERE ${isNeeded}`,
    // A conversation that was cut off by the upgrade is no answer for what was not taken in it.
    `UPDATE call_attempts SET answers = ${answers('heard', 'ack_at')}
      WHERE ack_at IS NOT NULL AND state <> 'started' AND ${isNeeded}`,
    `UPDATE call_attempts SET answers = ${answers('declined', 'call_attempts.ended_at')}
      WHERE outcome = 'declined' AND state = 'reached' AND ended_at IS NOT NULL AND ${isNeeded}`,
    `UPDATE call_attempts SET answers = ${answers('later', askedLater)} WHERE ${isLast} AND ${askedLater} IS NOT NULL`,
    `UPDATE call_attempts SET state = 'cancelled', outcome = 'cancelled', ended_by = 'system', ended_at = created_at
      WHERE state = 'due' AND NOT ${ofRound}`,
  ];
}

const indexes = [
  `DROP INDEX call_causes_due`,
  `DROP INDEX call_causes_open_by_call`,
  `DROP INDEX call_attempts_by_cycle`,
  `DROP INDEX call_attempts_due`,
  `DROP INDEX call_attempts_due_webhooks`,
  `DROP INDEX call_attempts_in_use`,
  `DROP TABLE call_cycles`,
  `DROP TABLE calls`,
  `ALTER TABLE call_attempts DROP COLUMN cycle_id`,
  `ALTER TABLE call_attempts DROP COLUMN is_notice`,
  `ALTER TABLE call_causes DROP COLUMN most_urgent`,
  `CREATE INDEX call_attempts_due ON call_attempts (kind, priority, id) WHERE state = 'due'`,
  `CREATE INDEX call_attempts_open ON call_attempts (provider_id, id) WHERE state IN ('due', 'started')`,
  `CREATE INDEX call_causes_open ON call_causes (cause_id, id) WHERE state = 'open'`,
  `CREATE INDEX call_causes_exhausted ON call_causes (target_kind, target_id, id) WHERE state = 'exhausted'`,
  `CREATE INDEX call_causes_by_cause ON call_causes (cause_id)`,
  `CREATE INDEX call_causes_open_by_target ON call_causes (target_kind, target_id, id) WHERE ended_at IS NULL`,
  `CREATE INDEX call_causes_open_since ON call_causes (created_at) WHERE ended_at IS NULL`,
  `CREATE INDEX call_causes_set_aside ON call_causes (retry_at) WHERE retry_at IS NOT NULL`,
  `CREATE INDEX call_causes_ended ON call_causes (ended_at) WHERE ended_at IS NOT NULL`,
];
