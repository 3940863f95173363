// Display and last names of users, stand-in numbers, codes that verify numbers, and overrides of schedules as rows with ids.

import type { Migration, Words } from '../store/migration.ts';
import type { DatabaseKind } from '../store/statement.ts';

export const people: Migration = {
  version: 20,
  name: 'people',
  statements: (words) => [
    `ALTER TABLE users ADD COLUMN last_name ${words.text} NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN display_name ${words.text} NOT NULL DEFAULT ''`,
    ...standInNumbers(words),
    ...verifications(words),
    ...overrides(words),
  ],
};

/** The simulator invented a phone, whose number id was the negative id of the user, for everybody without a number. */
function standInNumbers({ kind, int }: Words): string[] {
  const standIn = `(SELECT user_numbers.id FROM user_numbers WHERE is_stand_in = 1 AND user_id = -number_id)`;
  return [
    `ALTER TABLE user_numbers ADD COLUMN is_stand_in ${int} NOT NULL DEFAULT 0`,
    `INSERT INTO user_numbers (user_id, place, channel, address, valid, verified, final, count_try, time_to_retry,
        count_ack, time_to_ack, ack_auto_default, is_stand_in)
      SELECT id, 0, 'simulator', 'simulated phone', 1, 1, 1, 2, 60, 1, 120, 0, 1 FROM users
      WHERE id NOT IN (SELECT user_id FROM user_numbers) AND NOT EXISTS (${simulatorOff[kind]}) ORDER BY id`,
    `UPDATE call_cycles SET number_id = ${standIn} WHERE number_id < 0`,
    `UPDATE call_attempts SET number_id = ${standIn} WHERE number_id < 0`,
  ];
}

const simulatorOff: Record<DatabaseKind, string> = {
  sqlite: `SELECT 1 FROM meta WHERE key = 'call_policy' AND value ->> '$.hasSimulator' = 0`,
  postgres: `SELECT 1 FROM meta WHERE key = 'call_policy' AND value::json ->> 'hasSimulator' = 'false'`,
};

/** The code that was sent to each number last. Numbers are written anew with their ids, so it refers to the user alone. */
function verifications({ int, text, keyedEnd }: Words): string[] {
  return [
    `CREATE TABLE number_verifications (number_id ${int} PRIMARY KEY, user_id ${int} NOT NULL
      REFERENCES users (id) ON DELETE CASCADE, channel ${text} NOT NULL, address ${text} NOT NULL,
      code_hash ${text} NOT NULL, sent_at ${int} NOT NULL, wrong_codes ${int} NOT NULL, sends ${int} NOT NULL,
      sends_since ${int} NOT NULL) ${keyedEnd}`,
    `CREATE INDEX number_verifications_by_user ON number_verifications (user_id)`,
  ];
}

/** Overrides were a list in the JSON of their schedule. */
function overrides({ kind, id, int, text, end }: Words): string[] {
  return [
    `CREATE TABLE schedule_overrides (id ${id}, schedule_id ${int} NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
      place ${int} NOT NULL, team_id ${int}, user_id ${int}, from_time ${text} NOT NULL, to_time ${text} NOT NULL,
      reason ${text} NOT NULL, locked ${int} NOT NULL, swap_id ${int}) ${end}`,
    `CREATE INDEX schedule_overrides_by_schedule ON schedule_overrides (schedule_id, place)`,
    `INSERT INTO schedule_overrides (schedule_id, place, team_id, user_id, from_time, to_time, reason, locked)
      ${listedOverrides[kind]}`,
    withoutOverrides[kind],
  ];
}

const listedOverrides: Record<DatabaseKind, string> = {
  sqlite: `SELECT schedules.id, entry.key, entry.value ->> '$.teamId', entry.value ->> '$.userId',
      entry.value ->> '$.from', entry.value ->> '$.to', entry.value ->> '$.reason', entry.value ->> '$.lock'
    FROM schedules, json_each(definition, '$.overrides') AS entry ORDER BY schedules.id, entry.key`,
  postgres: `SELECT schedules.id, place - 1, (entry ->> 'teamId')::bigint, (entry ->> 'userId')::bigint,
      entry ->> 'from', entry ->> 'to', entry ->> 'reason', (entry ->> 'lock')::boolean::int
    FROM schedules, json_array_elements(definition::json -> 'overrides') WITH ORDINALITY AS listed (entry, place)
    ORDER BY schedules.id, place`,
};

const withoutOverrides: Record<DatabaseKind, string> = {
  sqlite: `UPDATE schedules SET definition = json_remove(definition, '$.overrides')`,
  postgres: `UPDATE schedules SET definition = (definition::jsonb - 'overrides')::text`,
};
