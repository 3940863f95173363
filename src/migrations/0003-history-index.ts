// The history in narrow rows, with word indexes and counts by time bucket, so that queries over millions of entries are
// as fast as over thousands.

import { bucketLevels } from '../domain/history/time-buckets.ts';
import type { Migration, Words } from '../store/migration.ts';

export const historyIndex: Migration = {
  version: 3,
  name: 'history-index',
  statements: (words) => [
    ...wordTables(words),
    ...seriesTables(words),
    ...countTables(words),
    ...fillWords(words),
    ...fillSeries,
    ...bucketLevels.flatMap(fillCounts),
    ...narrowed,
    ...(words.kind === 'postgres' ? roomToChange : []),
  ],
};

/** Words as domain/search.ts splits them. A text shared by many entries is indexed once. */
function wordTables({ id, int, text, word, end, keyedEnd }: Words): string[] {
  return [
    `CREATE TABLE alarm_words (word ${word} NOT NULL, alarm_id ${int} NOT NULL, PRIMARY KEY (word, alarm_id)) ${keyedEnd}`,
    `CREATE TABLE history_texts (id ${id}, tag_name ${text} NOT NULL, message ${text} NOT NULL) ${end}`,
    `CREATE TABLE history_text_words (word ${word} NOT NULL, text_id ${int} NOT NULL, PRIMARY KEY (word, text_id)) ${keyedEnd}`,
    `CREATE INDEX history_text_words_by_text ON history_text_words (text_id)`,
    // Only for entries with a comment, but then all their words.
    `CREATE TABLE history_comment_words (word ${word} NOT NULL, history_id ${int} NOT NULL,
      PRIMARY KEY (word, history_id)) ${keyedEnd}`,
    `CREATE INDEX history_comment_words_by_history ON history_comment_words (history_id)`,
  ];
}

/**
 * A series is a sequence of occurrences of one alarm in one location: the number and active time between two of its
 * entries are differences of their running totals.
 */
function seriesTables({ id, int, end }: Words): string[] {
  return [
    `CREATE TABLE history_series (id ${id}, alarm_id ${int} NOT NULL, station_id ${int} NOT NULL,
      data_server_id ${int} NOT NULL, tag_group_id ${int}, first_raised ${int} NOT NULL, noted_raise ${int} NOT NULL,
      longest_gap ${int} NOT NULL, ended_at ${int}) ${end}`,
    `CREATE INDEX history_series_by_alarm ON history_series (alarm_id)`,
    `CREATE INDEX history_series_by_station ON history_series (station_id, alarm_id)`,
    `CREATE INDEX history_series_by_server ON history_series (data_server_id, alarm_id)`,
    `CREATE INDEX history_series_by_tag_group ON history_series (tag_group_id, alarm_id) WHERE tag_group_id IS NOT NULL`,
    `ALTER TABLE alarms ADD COLUMN series_id ${int}`,
    `ALTER TABLE alarms ADD COLUMN text_id ${int}`,
    `ALTER TABLE alarms ADD COLUMN active_ms ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE alarms ADD COLUMN noted_raise ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE alarms ADD COLUMN longest_gap ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE alarms ADD COLUMN occurrence_group_id ${int}`,
    `ALTER TABLE alarm_histories ADD COLUMN series_id ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE alarm_histories ADD COLUMN text_id ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE alarm_histories ADD COLUMN nth ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE alarm_histories ADD COLUMN active_before ${int} NOT NULL DEFAULT 0`,
  ];
}

/** In the count tables tag group 0 means none: a key has no nulls. */
const locationParts = ['station_id', 'data_server_id', 'tag_group_id'];
const place = locationParts.join(', ');

function countTables({ int, keyedEnd }: Words): string[] {
  const placed = `station_id ${int} NOT NULL, data_server_id ${int} NOT NULL, tag_group_id ${int} NOT NULL`;
  return [
    `CREATE TABLE history_counts (level ${int} NOT NULL, step ${int} NOT NULL, ${placed},
      entries ${int} NOT NULL, min_id ${int} NOT NULL, max_id ${int} NOT NULL,
      PRIMARY KEY (level, step, ${place})) ${keyedEnd}`,
    // One row for each part of the location, so that the users of one part are adjacent in the key.
    `CREATE TABLE intervention_counts (level ${int} NOT NULL, part ${int} NOT NULL, part_id ${int} NOT NULL,
      step ${int} NOT NULL, user_id ${int} NOT NULL, station_id ${int} NOT NULL,
      interventions ${int} NOT NULL, reaction_ms ${int} NOT NULL, finished ${int} NOT NULL, intervention_ms ${int} NOT NULL,
      PRIMARY KEY (level, part, part_id, step, user_id, station_id)) ${keyedEnd}`,
  ];
}

function fillWords({ kind }: Words): string[] {
  const each = (table: string, column: string): string =>
    kind === 'sqlite'
      ? `${table}, json_each('["' || replace(trim(${column}), ' ', '","') || '"]') AS list`
      : `${table}, unnest(string_to_array(trim(${column}), ' ')) AS list (value)`;
  return [
    `INSERT INTO alarm_words (word, alarm_id)
      SELECT DISTINCT list.value, alarms.id FROM ${each('alarms', 'alarms.words')} WHERE list.value <> ''`,
    `INSERT INTO history_texts (id, tag_name, message) SELECT id, tag_name, message FROM alarm_histories`,
    ...(kind === 'sqlite'
      ? []
      : [
          `SELECT setval(pg_get_serial_sequence('history_texts', 'id'), max(id)) FROM history_texts HAVING max(id) IS NOT NULL`,
        ]),
    `INSERT INTO history_text_words (word, text_id) SELECT DISTINCT list.value, alarm_histories.id
      FROM ${each('alarm_histories', 'alarm_histories.words')} WHERE list.value <> ''`,
    `INSERT INTO history_comment_words (word, history_id) SELECT DISTINCT list.value, alarm_histories.id
      FROM ${each('alarm_histories', 'alarm_histories.words || alarm_histories.comment_words')}
      WHERE list.value <> '' AND comment <> ''`,
  ];
}

/** The existing occurrences become one series per alarm and location; later ones start a new series. */
const fillSeries = [
  `INSERT INTO history_series (alarm_id, ${place}, first_raised, noted_raise, longest_gap, ended_at)
    SELECT alarm_id, ${place}, min(raised_at), max(raised_at), max(raised_at) - min(raised_at), max(raised_at)
    FROM alarm_histories GROUP BY alarm_id, ${place}`,
  `UPDATE alarm_histories SET text_id = id, series_id = (
    SELECT id FROM history_series WHERE history_series.alarm_id = alarm_histories.alarm_id
      AND coalesce(history_series.tag_group_id, 0) = coalesce(alarm_histories.tag_group_id, 0))`,
  `UPDATE alarm_histories SET nth = counted.nth, active_before = counted.before FROM (
    SELECT id, row_number() OVER series AS nth,
      sum(coalesce(reset_at, raised_at) - raised_at) OVER series - (coalesce(reset_at, raised_at) - raised_at) AS before
    FROM alarm_histories WINDOW series AS (PARTITION BY series_id ORDER BY raised_at, id)
  ) AS counted WHERE counted.id = alarm_histories.id`,
  `UPDATE alarms SET occurrence_group_id = (SELECT tag_group_id FROM alarm_histories WHERE id = alarms.occurrence_id)`,
];

function fillCounts(level: number): string[] {
  const step = `raised_at / ${3_600_000 * 8 ** level}`;
  const placed = 'station_id, data_server_id, coalesce(tag_group_id, 0)';
  return [
    `INSERT INTO history_counts SELECT ${level}, ${step}, ${placed}, count(*), min(id), max(id)
      FROM alarm_histories GROUP BY ${step}, ${placed}`,
    ...locationParts.map(
      (
        column,
        part,
      ) => `INSERT INTO intervention_counts SELECT ${level}, ${part}, ${column}, ${step}, ack_user_id, station_id,
        count(*), sum(ack_at - raised_at), sum(CASE WHEN reset_at >= ack_at THEN 1 ELSE 0 END),
        sum(CASE WHEN reset_at >= ack_at THEN reset_at - ack_at ELSE 0 END)
      FROM alarm_histories WHERE ack_user_id IS NOT NULL AND ${column} IS NOT NULL
      GROUP BY ${step}, ack_user_id, station_id, ${column}`,
    ),
  ];
}

const narrowed = [
  `DROP INDEX alarm_histories_by_alarm`,
  `DROP INDEX alarm_histories_by_raise`,
  `DROP INDEX alarm_histories_by_tag_group`,
  `DROP INDEX alarm_histories_by_user`,
  ...['tag_name', 'message', 'words', 'comment_words'].map(
    (column) => `ALTER TABLE alarm_histories DROP COLUMN ${column}`,
  ),
  `CREATE INDEX alarm_histories_by_tag_group ON alarm_histories (tag_group_id, id) WHERE tag_group_id IS NOT NULL`,
  `CREATE INDEX alarm_histories_by_user ON alarm_histories (ack_user_id, id) WHERE ack_user_id IS NOT NULL`,
  `CREATE INDEX alarm_histories_by_series ON alarm_histories (series_id, raised_at, id)`,
  `CREATE INDEX alarm_histories_by_text ON alarm_histories (text_id, id)`,
  `CREATE INDEX alarm_histories_unacknowledged ON alarm_histories (alarm_id) WHERE ack_at IS NULL`,
];

/** Room on each page for changed rows: a row updated within its page needs no new index entries (HOT update). */
const roomToChange = [`ALTER TABLE alarms SET (fillfactor = 50)`, `ALTER TABLE alarm_histories SET (fillfactor = 85)`];
