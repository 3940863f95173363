// Data servers for Tocsin's own alarms and placeholders of callers, refused intakes, the rights of revoked keys, whole
// answers with idempotency keys, and words without ligatures.

import type { Migration, Words } from '../store/migration.ts';
import type { DatabaseKind } from '../store/statement.ts';

export const intake: Migration = {
  version: 19,
  name: 'intake',
  statements: (words) => [
    ...serverColumns(words),
    ...(words.kind === 'postgres' ? [sequenceBehindRows] : []),
    systemServers,
    moveSystemAlarms(words.kind),
    renameMoved,
    ...endSeries,
    ...refusals(words),
    // JSON lists of the scopes and stations that a revoked key had; empty for keys revoked before this version.
    `ALTER TABLE revoked_keys ADD COLUMN scopes ${words.text} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE revoked_keys ADD COLUMN station_ids ${words.text} NOT NULL DEFAULT '[]'`,
    // The answer to a request that made something else than an alarm, as JSON.
    `ALTER TABLE idempotency_keys ADD COLUMN response ${words.text}`,
    ...withoutLigatures,
  ],
};

function serverColumns({ int, text }: Words): string[] {
  return [
    `ALTER TABLE data_servers ADD COLUMN is_system ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE data_servers ADD COLUMN placeholder_actor ${text}`,
    `ALTER TABLE data_servers ADD COLUMN placeholder_number ${int}`,
    `ALTER TABLE data_servers ADD COLUMN moved_to ${int}`,
    `CREATE UNIQUE INDEX data_servers_by_placeholder ON data_servers (placeholder_actor, placeholder_number)
      WHERE placeholder_actor IS NOT NULL`,
  ];
}

/** Ids that were given by a restore did not come from the sequence. */
const sequenceBehindRows = `SELECT setval('data_servers_id_seq', greatest(max(id), (SELECT last_value FROM data_servers_id_seq)))
  FROM data_servers HAVING count(*) > 0`;

/** A station may have a data server of that name already. */
const takenBy = `(SELECT max(id) + 1 FROM data_servers AS taken WHERE taken.station_id = stations.id AND taken.name = 'Tocsin')`;

const systemServers = `INSERT INTO data_servers (name, words, last_change, station_id, built_in, is_system)
  SELECT 'Tocsin' || coalesce(' #' || ${takenBy}, ''), ' tocsin ' || coalesce(${takenBy} || ' ', ''), last_change, id, 1, 1
  FROM stations`;

const eventId: Record<DatabaseKind, string> = { sqlite: 'position', postgres: 'id' };

const isOwnForm: Record<DatabaseKind, string> = {
  sqlite: `definition ->> '$.temporary' = 1 AND definition ->> '$.alarmDelay' = 0
    AND definition ->> '$.condition.transitory' = 1`,
  postgres: `definition::json ->> 'temporary' = 'true' AND definition::json ->> 'alarmDelay' = '0'
    AND definition::json -> 'condition' ->> 'transitory' = 'true'`,
};

/**
 * The alarms that the program itself made: of the form that all of them have, and with `system` as the actor of their
 * oldest event. Of an alarm whose events have been purged only the form is known. A delayed alarm of a caller is raised
 * by the system too, but has another form.
 */
function moveSystemAlarms(kind: DatabaseKind): string {
  const id = eventId[kind];
  return `WITH RECURSIVE named (id, last_event_id) AS (
      SELECT alarms.id, last_event_id FROM alarms JOIN data_servers ON data_servers.id = data_server_id
      WHERE built_in = 1 AND path LIKE 'system/%' AND ${isOwnForm[kind]}
    ), chain (alarm_id, depth, actor, previous_id) AS (
      SELECT named.id, 1, actor, previous_id FROM named JOIN events ON events.${id} = last_event_id
      UNION ALL
      SELECT alarm_id, depth + 1, events.actor, events.previous_id FROM chain
        JOIN events ON events.${id} = chain.previous_id
    ), first_actors (alarm_id, actor) AS (
      SELECT alarm_id, actor FROM chain
        WHERE depth = (SELECT max(depth) FROM chain AS whole WHERE whole.alarm_id = chain.alarm_id)
    ), older (alarm_id, position, actor) AS (
      SELECT named.id, position, actor FROM named
        JOIN events ON subject_id = named.id AND previous_id IS NULL AND kind LIKE 'alarm.%'
    ), oldest (alarm_id, actor) AS (
      SELECT alarm_id, actor FROM older
        WHERE position = (SELECT min(position) FROM older AS whole WHERE whole.alarm_id = older.alarm_id)
    )
    UPDATE alarms SET data_server_id = (
      SELECT id FROM data_servers WHERE is_system = 1 AND data_servers.station_id = alarms.station_id)
    WHERE id IN (
      SELECT named.id FROM named LEFT JOIN oldest ON oldest.alarm_id = named.id
        LEFT JOIN first_actors ON first_actors.alarm_id = named.id
      WHERE coalesce(oldest.actor, first_actors.actor, 'system') = 'system')`;
}

/** An alarm named by its full path gets the new one, unless that name is taken. */
const newName = `(SELECT name FROM data_servers WHERE id = alarms.data_server_id) || substr(name, 4)`;
const renameMoved = `UPDATE alarms SET name = ${newName}
  WHERE substr(name, 1, 4) = 'API\\' AND data_server_id IN (SELECT id FROM data_servers WHERE is_system = 1)
    AND NOT EXISTS (SELECT 1 FROM alarms AS taken
      WHERE taken.name = (SELECT data_servers.name FROM data_servers WHERE id = alarms.data_server_id) || substr(alarms.name, 4))`;

/** A series of occurrences belongs to one data server. */
const isMoved = `series_id IS NOT NULL AND data_server_id IN (SELECT id FROM data_servers WHERE is_system = 1)`;
const endSeries = [
  `UPDATE history_series SET ended_at = (SELECT raised_at FROM alarms WHERE series_id = history_series.id)
    WHERE id IN (SELECT series_id FROM alarms WHERE ${isMoved})`,
  `UPDATE alarms SET series_id = NULL WHERE ${isMoved}`,
];

function refusals({ id, int, text, end }: Words): string[] {
  return [
    `CREATE TABLE intake_refusals (id ${id}, at ${int} NOT NULL, actor ${text} NOT NULL, principal ${text} NOT NULL,
      address ${text} NOT NULL, route ${text} NOT NULL, code ${text} NOT NULL, reason ${text} NOT NULL,
      content_type ${text} NOT NULL, body ${text} NOT NULL, body_length ${int} NOT NULL,
      retried_at ${int}, retried_by ${text}) ${end}`,
    `CREATE INDEX intake_refusals_by_actor ON intake_refusals (actor, id)`,
    `CREATE INDEX intake_refusals_by_time ON intake_refusals (at)`,
  ];
}

/** Letters that domain/search.ts replaces since this version; a capital sharp s was replaced by a small one before. */
const ligatures = [
  ['œ', 'oe'],
  ['æ', 'ae'],
  ['ß', 'ss'],
] as const;

function unfolded(column: string): string {
  return ligatures.reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, column);
}

function hasLigature(column: string): string {
  return ligatures.map(([from]) => `${column} LIKE '%${from}%'`).join(' OR ');
}

const wordTables = [
  ['alarm_words', 'alarm_id'],
  ['history_text_words', 'text_id'],
  ['history_comment_words', 'history_id'],
] as const;

const wordColumns = [
  ['alarms', 'words'],
  ['stations', 'words'],
  ['data_servers', 'words'],
  ['tag_groups', 'words'],
  ['users', 'words'],
  ['schedules', 'words'],
  ['teams', 'words'],
  ['call_groups', 'words'],
  ['call_group_groupings', 'words'],
  ['scenarios', 'words'],
  ['media', 'words'],
  ['call_attempts', 'words'],
  ['call_attempts', 'address_words'],
] as const;

const withoutLigatures = [
  ...wordTables.flatMap(([table, id]) => [
    `INSERT INTO ${table} (word, ${id}) SELECT DISTINCT ${unfolded('word')}, ${id} FROM ${table}
      WHERE ${hasLigature('word')} ON CONFLICT DO NOTHING`,
    `DELETE FROM ${table} WHERE ${hasLigature('word')}`,
  ]),
  ...wordColumns.map(
    ([table, column]) => `UPDATE ${table} SET ${column} = ${unfolded(column)} WHERE ${hasLigature(column)}`,
  ),
];
