// Holds, pauses, failures, ends of rounds and causes, and announced items of calls get columns and codes; rules read
// sentences before.

import type { Migration } from '../store/migration.ts';
import type { DatabaseKind } from '../store/statement.ts';

export const callStatesInColumns: Migration = {
  version: 14,
  name: 'call-states-in-columns',
  statements: ({ kind, text }) => [
    `ALTER TABLE calls ADD COLUMN round_end ${text}`,
    `ALTER TABLE call_cycles ADD COLUMN hold ${text}`,
    `ALTER TABLE call_cycles ADD COLUMN pause ${text}`,
    `ALTER TABLE call_attempts ADD COLUMN failure ${text}`,
    `ALTER TABLE call_causes ADD COLUMN ended_by ${text}`,
    `ALTER TABLE call_attempts RENAME COLUMN told TO announced`,
    `UPDATE calls SET round_end = CASE WHEN reason = 'heard, but nobody has taken the alarm' THEN 'heard'
      WHEN reason = 'there is nobody to call' THEN 'nobody-to-call' ELSE 'unacknowledged' END WHERE phase = 'pausing'`,
    `UPDATE call_cycles SET hold = CASE WHEN reason = 'waits: their line is in use by another call of ours' THEN 'line'
      ELSE 'cap' END WHERE phase = 'held'`,
    `UPDATE call_cycles SET pause = CASE WHEN reason = 'wants to be called later' THEN 'asked-later' ELSE 'retry' END
      WHERE phase = 'pausing'`,
    `UPDATE call_attempts SET failure = 'wrong-pin' WHERE detail = 'wrong PIN three times'`,
    `UPDATE call_causes SET ended_by = CASE WHEN end_reason = 'heard' THEN 'heard'
      WHEN end_reason = 'raised again' THEN 'raised-again' WHEN call_id IS NULL THEN 'alarm' ELSE 'call' END
      WHERE ended_at IS NOT NULL`,
    `UPDATE phone_messages SET outcome = CASE WHEN outcome = 'no answer' THEN 'no-answer' ELSE 'wrong-pin' END
      WHERE outcome IN ('no answer', 'wrong PIN three times')`,
    ...(kind === 'sqlite' ? sqliteItems : postgresItems),
  ],
};

/** Turns `alarm 12` or `cause 12` into `{"alarmId":12}` or `{"causeId":12}`. */
const itemOf: Record<DatabaseKind, (name: string) => string> = {
  sqlite: (name) =>
    `json_object(CASE WHEN ${name} LIKE 'alarm %' THEN 'alarmId' ELSE 'causeId' END, CAST(substr(${name}, 7) AS INTEGER))`,
  postgres: (name) =>
    `jsonb_build_object(CASE WHEN ${name} LIKE 'alarm %' THEN 'alarmId' ELSE 'causeId' END, substr(${name}, 7)::bigint)`,
};

const sqliteContext = `json_set(json_remove(json_extract(script, '$.scene'), '$.things'), '$.items', json((
  SELECT json_group_array(json(${itemOf.sqlite(`json_extract(value, '$.name')`)})) FROM json_each(script, '$.scene.things'))))`;

/** A phone that rings has no state of its conversation yet. */
const sqliteItems = [
  `UPDATE call_attempts SET announced = json_object('items', json((
      SELECT json_group_array(json(${itemOf.sqlite('value')})) FROM json_each(announced, '$.names'))),
    'upTo', json_extract(announced, '$.upTo')) WHERE announced IS NOT NULL`,
  `UPDATE phone_messages SET script = json_object('context', json(${sqliteContext})) WHERE state = 'ringing'`,
  `UPDATE phone_messages SET script = json_object('context', json(${sqliteContext}), 'state',
    json(json_set(json_remove(json_extract(script, '$.state'), '$.place'), '$.index', json_extract(script, '$.state.place'))))
    WHERE state = 'answered'`,
];

const postgresContext = `(script::jsonb->'scene') - 'things' || jsonb_build_object('items', (
  SELECT coalesce(jsonb_agg(${itemOf.postgres(`thing->>'name'`)} ORDER BY place), '[]')
  FROM jsonb_array_elements(script::jsonb->'scene'->'things') WITH ORDINALITY AS things (thing, place)))`;

const postgresItems = [
  `UPDATE call_attempts SET announced = jsonb_build_object('items', (
      SELECT coalesce(jsonb_agg(${itemOf.postgres('name')} ORDER BY place), '[]')
      FROM jsonb_array_elements_text(announced::jsonb->'names') WITH ORDINALITY AS names (name, place)),
    'upTo', announced::jsonb->'upTo')::text WHERE announced IS NOT NULL`,
  `UPDATE phone_messages SET script = jsonb_build_object('context', ${postgresContext})::text WHERE state = 'ringing'`,
  `UPDATE phone_messages SET script = jsonb_build_object('context', ${postgresContext}, 'state',
    (script::jsonb->'state') - 'place' || jsonb_build_object('index', script::jsonb->'state'->'place'))::text
    WHERE state = 'answered'`,
];
