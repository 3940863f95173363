// One index fewer to update per occurrence: a history text stores its alarm and its last entry, so that entries are
// found through the series of that alarm.

import type { Migration, Words } from '../store/migration.ts';

export const textsOfAlarms: Migration = {
  version: 10,
  name: 'texts-of-alarms',
  statements: (words) => [
    ...knownTexts(words),
    `DROP INDEX alarm_histories_by_text`,
    // The server reads the events that are not about alarms after every commit; they are a tiny share of all events.
    `CREATE INDEX events_of_others ON events (position) WHERE kind NOT LIKE 'alarm.%'`,
    ...(words.kind === 'postgres' ? roomToChange : []),
  ],
};

function knownTexts({ int }: Words): string[] {
  return [
    `ALTER TABLE history_texts ADD COLUMN alarm_id ${int} NOT NULL DEFAULT 0`,
    // Null while the alarm has the text, because its next occurrence will have it too.
    `ALTER TABLE history_texts ADD COLUMN last_entry_id ${int}`,
    `UPDATE history_texts SET alarm_id = entries.alarm_id, last_entry_id = entries.last_id FROM (
      SELECT text_id, min(alarm_id) AS alarm_id, max(id) AS last_id FROM alarm_histories GROUP BY text_id
    ) AS entries WHERE entries.text_id = history_texts.id`,
    `UPDATE history_texts SET alarm_id = alarms.id, last_entry_id = NULL FROM alarms WHERE alarms.text_id = history_texts.id`,
  ];
}

/**
 * Every entry is updated on acknowledgement and at its end: with 85, a third of those updates found no room on the
 * page.
 */
const roomToChange = [`ALTER TABLE alarm_histories SET (fillfactor = 70)`];
