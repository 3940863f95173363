// Display and last names of users, and overrides of schedules as rows with ids.

import type { Migration, Words } from '../store/migration.ts';
import type { DatabaseKind } from '../store/statement.ts';

export const people: Migration = {
  version: 20,
  name: 'people',
  statements: (words) => [
    `ALTER TABLE users ADD COLUMN last_name ${words.text} NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN display_name ${words.text} NOT NULL DEFAULT ''`,
    ...overrides(words),
  ],
};

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
