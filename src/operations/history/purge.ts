// Removes expired history entries a few at a time, with everything derived from them.

import { sql } from 'kysely';
import { type DatabaseKind, idsIn, sqlStatement, statement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { commentWordRows, historyRows } from './rows.ts';
import { Rollups } from './write-rollups.ts';

/** Few enough not to delay an alarm; the caller repeats the operation until nothing is left. */
const entriesPerStep = 200;

/** Returns whether there may be more to remove. */
export const trimHistory: Operation<{ readonly before: Instant }, boolean> = {
  name: 'trim-history',
  async run(tx, _now, { before }) {
    const oldest = await tx.all(selectOldest, {});
    // In order of id, which can differ from the order of raise times when the clocks of nodes differ: a text is removed
    // with its last entry.
    const firstKept = oldest.findIndex(({ raised_at }) => raised_at >= before);
    const expired = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
    if (expired.length === 0) return false;
    const counts = new Rollups();
    for (const entry of expired) subtract(counts, entry);
    await counts.write(tx);
    await counts.removeEmpty(tx);
    await tx.each(
      commentWordRows.removeAll,
      expired.map(({ id }) => ({ history_id: id })),
    );
    await tx.each(
      historyRows.remove,
      expired.map(({ id }) => ({ id })),
    );
    const alarmIds = distinct(expired.map(({ alarm_id }) => alarm_id));
    await trimTexts(tx, expired, alarmIds);
    await trimSeries(tx, distinct(expired.map(({ series_id }) => series_id)), alarmIds);
    return expired.length === entriesPerStep;
  },
};

/**
 * Removes each text with the last entry that had it. An alarm whose newest occurrence is removed gets a new text with
 * its next one.
 */
async function trimTexts(tx: Tx, expired: readonly { id: number; text_id: number }[], alarmIds: string): Promise<void> {
  const ids = distinct(expired.map(({ text_id }) => text_id));
  const entryIds = distinct(expired.map(({ id }) => id));
  await tx.run(removeTexts, { ids, entryIds, alarmIds });
  await tx.run(clearTextIds, { entryIds, alarmIds });
  await tx.run(removeWords, { ids });
}

/**
 * Moves the start of each series to its oldest entry left, and removes a series without entries; the alarm's next
 * occurrence starts another.
 */
async function trimSeries(tx: Tx, ids: string, alarmIds: string): Promise<void> {
  await tx.run(clearSeriesIds, { ids, alarmIds });
  await tx.run(removeSeries, { ids });
  await tx.run(shortenSeries, { ids });
}

type Entry = {
  id: number;
  station_id: number;
  data_server_id: number;
  tag_group_id: number | null;
  raised_at: number;
  ack_at: number | null;
  ack_user_id: number | null;
  reset_at: number | null;
};

function subtract(counts: Rollups, entry: Entry): void {
  const { raised_at, ack_at, ack_user_id: userId, reset_at } = entry;
  const location = {
    stationId: entry.station_id,
    dataServerId: entry.data_server_id,
    tagGroupId: entry.tag_group_id ?? undefined,
  };
  counts.addEntry(entry.id, raised_at, location, -1);
  if (userId === null || ack_at === null) return;
  const isFinished = reset_at !== null && reset_at >= ack_at;
  const finished = { finished: isFinished ? 1 : 0, interventionMs: isFinished ? reset_at - ack_at : 0 };
  counts.addIntervention(
    raised_at,
    location,
    { userId, interventions: 1, reactionMs: ack_at - raised_at, ...finished },
    -1,
  );
}

function distinct(ids: readonly number[]): string {
  return JSON.stringify([...new Set(ids)]);
}

/** Selects ended occurrences only: the end of an open one is still to be written, however old it is. */
const selectOldest = statement((db) =>
  db
    .selectFrom('alarm_histories')
    .select([
      'id',
      'alarm_id',
      'station_id',
      'data_server_id',
      'tag_group_id',
      'raised_at',
      'ack_at',
      'ack_user_id',
      'reset_at',
      'text_id',
      'series_id',
    ])
    .where('reset_at', 'is not', null)
    .orderBy('id')
    .limit(entriesPerStep),
);

/** The alarms whose newest occurrence is removed. */
function losesNewest(args: { entryIds: string; alarmIds: string }, kind: DatabaseKind) {
  return sql`alarms.id in ${idsIn(args.alarmIds, kind)} and occurrence_id in ${idsIn(args.entryIds, kind)}`;
}

const removeTexts = sqlStatement<{ ids: string; entryIds: string; alarmIds: string }>(
  (args, kind) => sql`delete from ${target('history_texts')} where id in ${idsIn(args.ids, kind)}
    and (last_entry_id in ${idsIn(args.entryIds, kind)}
      or id in (select text_id from ${table('alarms')} where ${losesNewest(args, kind)} and text_id is not null))`,
);

const clearTextIds = sqlStatement<{ entryIds: string; alarmIds: string }>(
  (args, kind) => sql`update ${target('alarms')} set text_id = null where ${losesNewest(args, kind)}`,
);

const removeWords = sqlStatement<{ ids: string }>(
  (args, kind) => sql`delete from ${target('history_text_words')} where text_id in ${idsIn(args.ids, kind)}
    and not exists (select 1 from ${table('history_texts')} where id = text_id)`,
);

const clearSeriesIds = sqlStatement<{ ids: string; alarmIds: string }>(
  (args, kind) => sql`update ${target('alarms')} set series_id = null
    where id in ${idsIn(args.alarmIds, kind)} and series_id in ${idsIn(args.ids, kind)}
      and not exists (select 1 from ${table('alarm_histories')} where series_id = alarms.series_id)`,
);

const removeSeries = sqlStatement<{ ids: string }>(
  (args, kind) => sql`delete from ${target('history_series')} where id in ${idsIn(args.ids, kind)}
    and not exists (select 1 from ${table('alarm_histories')} where series_id = history_series.id)`,
);

const shortenSeries = sqlStatement<{ ids: string }>(
  (args, kind) => sql`update ${target('history_series')}
    set first_raised = (select min(raised_at) from ${table('alarm_histories')} where series_id = history_series.id)
    where id in ${idsIn(args.ids, kind)}`,
);
