// Writes the history of the demo plant that is over: occurrences, their texts and series, and the counts of them.

import { demoHistory } from '../../../domain/demo/history.ts';
import type { DemoOccurrence } from '../../../domain/demo/occurrence.ts';
import { demoTags } from '../../../domain/demo/plant.ts';
import { distinctWords } from '../../../domain/search.ts';
import { insertRows } from '../../../store/row-batch.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { ReadTx, Tx } from '../../../store/store.ts';
import { findAlarmRecords } from '../../alarms/queries.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { wholeHours } from '../../history/alarm-reaction.ts';
import { commentWordRows, historyColumns, historySeriesRows, historyTextRows } from '../../history/rows.ts';
import { Rollups } from '../../history/write-rollups.ts';
import { DemoEntries, type DemoRow } from '../plant-rows.ts';

/** Few enough that a transaction delays no alarm. */
const entriesAStep = 500;

/** An occurrence with what its alarm counted before it. */
export type CountedOccurrence = DemoOccurrence & { readonly nth: number; readonly activeBefore: number };

/** Returns the occurrences that are over, in the order of their raises. */
export function countedHistory({ seed, madeAt, timeZone }: DemoRow): readonly CountedOccurrence[] {
  const counts = demoTags.map(() => ({ nth: 0, activeMs: 0 }));
  return demoHistory(seed, madeAt, timeZone).old.map((occurrence) => {
    const count = counts[occurrence.tag] ?? { nth: 0, activeMs: 0 };
    const counted = { ...occurrence, nth: count.nth + 1, activeBefore: count.activeMs };
    counts[occurrence.tag] = {
      nth: counted.nth,
      activeMs: count.activeMs + (occurrence.resetAt ?? 0) - occurrence.raisedAt,
    };
    return counted;
  });
}

/** The series of one alarm: when it began, when it was raised last, and the longest gap, as its row has them. */
export function seriesOf(occurrences: readonly DemoOccurrence[]) {
  const raises = occurrences.map(({ raisedAt }) => raisedAt);
  const gaps = raises.slice(1).map((raise, index) => wholeHours(raise - (raises[index] ?? raise)));
  return { firstRaised: raises[0] ?? 0, notedRaise: raises.at(-1) ?? 0, longestGap: Math.max(0, ...gaps) };
}

/** Writes the next entries; returns how many are done, undefined if all are. */
export async function makeOldHistory(tx: Tx, demo: DemoRow): Promise<number | undefined> {
  const history = countedHistory(demo);
  const alarms = await alarmsOf(tx);
  if (demo.done === 0) await insertSeries(tx, history, alarms);
  const next = history.slice(demo.done, demo.done + entriesAStep);
  await insertOccurrences(tx, next, alarms);
  const done = demo.done + next.length;
  return done < history.length ? done : undefined;
}

/** The alarms of the plant by the places of their tags; one that was removed meanwhile is missing. */
export async function alarmsOf(tx: ReadTx): Promise<ReadonlyMap<number, AlarmRecord>> {
  const entries = await DemoEntries.load(tx);
  const records = await findAlarmRecords(tx, entries.ids('alarm'));
  const byId = new Map(records.map((record) => [record.id, record]));
  const placed = demoTags.map(({ path }, place) => [place, byId.get(entries.find('alarm', path) ?? 0)] as const);
  return new Map(placed.flatMap(([place, record]) => (record === undefined ? [] : [[place, record]])));
}

async function insertSeries(
  tx: Tx,
  history: readonly DemoOccurrence[],
  alarms: ReadonlyMap<number, AlarmRecord>,
): Promise<void> {
  const raised = [...Map.groupBy(history, ({ tag }) => tag)].flatMap(([tag, list]) => {
    const alarm = alarms.get(tag);
    return alarm === undefined ? [] : [{ alarm, series: seriesOf(list) }];
  });
  const seriesIds = await tx.nextIds('history_series', raised.length);
  const textIds = await tx.nextIds('history_texts', raised.length);
  await tx.each(
    historySeriesRows.insert,
    raised.map(({ alarm, series }, index) => ({
      id: seriesIds[index] ?? 0,
      ...locationColumns(alarm),
      first_raised: series.firstRaised,
      noted_raise: series.notedRaise,
      longest_gap: series.longestGap,
    })),
  );
  const texts = raised.map(({ alarm }, index) => ({
    id: textIds[index] ?? 0,
    alarm_id: alarm.id,
    tag_name: alarm.name,
    message: alarm.definition.alarm.message,
    last_entry_id: null,
  }));
  await tx.each(historyTextRows.insert, texts);
  await tx.each(
    historyTextRows.insertWords,
    texts.flatMap((text) => distinctWords(text.tag_name, text.message).map((word) => ({ word, text_id: text.id }))),
  );
}

async function insertOccurrences(
  tx: Tx,
  occurrences: readonly CountedOccurrence[],
  alarms: ReadonlyMap<number, AlarmRecord>,
): Promise<void> {
  const { seriesOf, textOf } = await referencesOf(tx, alarms);
  const entries = await DemoEntries.load(tx);
  const known = occurrences.flatMap((occurrence) => {
    const alarm = alarms.get(occurrence.tag);
    return alarm === undefined ? [] : [{ occurrence, alarm }];
  });
  const ids = await tx.nextIds('alarm_histories', known.length);
  const counts = new Rollups();
  const rows = known.map(({ occurrence, alarm }, index) => {
    const { raisedAt, resetAt = raisedAt, ack, nth, activeBefore } = occurrence;
    const id = ids[index] ?? 0;
    const userId = ack === undefined ? undefined : entries.find('user', ack.person);
    count(counts, id, alarm, { raisedAt, resetAt, ackAt: ack?.at, userId });
    return {
      id,
      ...locationColumns(alarm),
      series_id: seriesOf.get(alarm.id) ?? 0,
      text_id: textOf.get(alarm.id) ?? 0,
      nth,
      active_before: activeBefore,
      priority: alarm.priority,
      code: 0,
      raised_at: raisedAt,
      ack_at: ack?.at ?? null,
      ack_user_id: userId ?? null,
      ack_user: ack?.person ?? null,
      reset_at: resetAt,
      comment: ack?.comment ?? '',
    };
  });
  await tx.each(insertHistory, rows);
  const words = rows.flatMap(({ id, comment }, index) => {
    const { name = '', definition } = known[index]?.alarm ?? {};
    const found = comment === '' ? [] : distinctWords(name, definition?.alarm.message ?? '', comment);
    return found.map((word) => ({ word, history_id: id }));
  });
  await tx.each(commentWordRows.insert, words);
  await counts.write(tx);
}

type Times = {
  readonly raisedAt: number;
  readonly resetAt: number;
  readonly ackAt: number | undefined;
  readonly userId: number | undefined;
};

function count(counts: Rollups, id: number, alarm: AlarmRecord, { raisedAt, resetAt, ackAt, userId }: Times): void {
  counts.addEntry(id, raisedAt, alarm);
  if (ackAt === undefined || userId === undefined) return;
  const isFinished = resetAt >= ackAt;
  counts.addIntervention(raisedAt, alarm, {
    userId,
    interventions: 1,
    reactionMs: ackAt - raisedAt,
    finished: isFinished ? 1 : 0,
    interventionMs: isFinished ? resetAt - ackAt : 0,
  });
}

function locationColumns({ id: alarm_id, stationId, dataServerId, tagGroupId }: AlarmRecord) {
  return { alarm_id, station_id: stationId, data_server_id: dataServerId, tag_group_id: tagGroupId ?? null };
}

/** Returns the series and the text of each alarm that has any. */
export async function referencesOf(tx: ReadTx, alarms: ReadonlyMap<number, AlarmRecord>) {
  const args = { alarmIds: JSON.stringify([...alarms.values()].map(({ id }) => id)) };
  const [series, texts] = [await tx.all(selectSeries, args), await tx.all(selectTexts, args)];
  const byAlarm = (rows: typeof series) => new Map(rows.map(({ id, alarm_id }) => [alarm_id, id]));
  return { seriesOf: byAlarm(series), textOf: byAlarm(texts) };
}

const selectSeries = statement((db, args: { alarmIds: string }, kind) =>
  db
    .selectFrom('history_series')
    .select(['id', 'alarm_id'])
    .where(isOneOfIds('alarm_id', args.alarmIds, kind)),
);

const selectTexts = statement((db, args: { alarmIds: string }, kind) =>
  db
    .selectFrom('history_texts')
    .select(['id', 'alarm_id'])
    .where(isOneOfIds('alarm_id', args.alarmIds, kind)),
);

const insertHistory = insertRows('alarm_histories', {
  ...historyColumns,
  ack_at: 'int',
  ack_user_id: 'int',
  ack_user: 'text',
});
