// One more index less to keep for every occurrence: a text of the history knows whose it is, so that entries are found by the
// series of that alarm, and which entry was its last.

import type { Migration, Words } from './migration.ts';

export const textsOfAlarms: Migration = {
  version: 10,
  name: 'texts-of-alarms',
  statements: (words) => [
    ...knownTexts(words),
    `DROP INDEX alarm_histories_by_text`,
    // The server looks after every commit for what happened beside alarms, which is next to nothing of what happens.
    `CREATE INDEX events_of_others ON events (position) WHERE kind NOT LIKE 'alarm.%'`,
    ...(words.kind === 'postgres' ? roomToChange : []),
  ],
};

function knownTexts({ int }: Words): string[] {
  return [
    `ALTER TABLE history_texts ADD COLUMN alarm_id ${int} NOT NULL DEFAULT 0`,
    // Null as long as the alarm has the text: its next occurrence will have it too.
    `ALTER TABLE history_texts ADD COLUMN last_entry_id ${int}`,
    `UPDATE history_texts SET alarm_id = entries.alarm_id, last_entry_id = entries.last_id FROM (
      SELECT text_id, min(alarm_id) AS alarm_id, max(id) AS last_id FROM alarm_histories GROUP BY text_id
    ) AS entries WHERE entries.text_id = history_texts.id`,
    `UPDATE history_texts SET alarm_id = alarms.id, last_entry_id = NULL FROM alarms WHERE alarms.text_id = history_texts.id`,
  ];
}

/** Every entry is changed when it is acknowledged and when it ends: with 85 a third of those changes found no room. */
const roomToChange = [`ALTER TABLE alarm_histories SET (fillfactor = 70)`];
