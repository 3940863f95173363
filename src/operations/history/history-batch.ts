// Collects the history rows of one transaction and writes them with one statement per table.

import { distinctWords } from '../../domain/search.ts';
import type { NewIds } from '../../store/new-ids.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { Acknowledger, TrackedAlarm } from '../alarms/reaction.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { commentWordRows, historyRows, historySeriesRows, historyTextRows } from './rows.ts';
import type { Unacknowledged } from './unacknowledged.ts';
import { Rollups } from './write-rollups.ts';

type RowOf<T extends { row?: unknown }> = { -readonly [K in keyof NonNullable<T['row']>]: NonNullable<T['row']>[K] };

type OccurrenceRow = RowOf<typeof historyRows.insert>;

/** New rows are kept by their placeholder ids, because later changes of the same transaction may concern them. */
export class HistoryBatch {
  readonly #tx: Tx;
  readonly #ids: NewIds;
  readonly counts = new Rollups();
  readonly #opened = new Map<number, OccurrenceRow>();
  /** The alarms of the new occurrences: their newest events are known when everything is decided. */
  readonly #alarms = new Map<number, TrackedAlarm>();
  /** The alarms that are removed, by their newest occurrence: their rows no longer say which event is the last. */
  readonly #left = new Map<number, TrackedAlarm>();
  readonly #closed: RowOf<typeof historyRows.close>[] = [];
  readonly #acknowledged: RowOf<typeof historyRows.acknowledge>[] = [];
  readonly #commented: RowOf<typeof historyRows.comment>[] = [];
  readonly #commentWords: RowOf<typeof commentWordRows.insert>[] = [];
  readonly #series = new Map<number, RowOf<typeof historySeriesRows.insert>>();
  readonly #notedRaises = new Map<number, RowOf<typeof historySeriesRows.note>>();
  readonly #endedSeries: RowOf<typeof historySeriesRows.end>[] = [];
  readonly #texts = new Map<number, RowOf<typeof historyTextRows.insert>>();
  readonly #endedTexts: RowOf<typeof historyTextRows.end>[] = [];

  constructor(tx: Tx, ids: NewIds) {
    this.#tx = tx;
    this.#ids = ids;
  }

  addOccurrence(entry: TrackedAlarm, row: Omit<OccurrenceRow, 'id' | 'event_id'>): number {
    const id = this.#ids.next('alarm_histories');
    this.#opened.set(id, { id, ...row, event_id: null });
    this.#alarms.set(id, entry);
    return id;
  }

  addSeries({ id: alarm_id, stationId, dataServerId, tagGroupId }: AlarmRecord, at: Instant): number {
    const id = this.#ids.next('history_series');
    const location = { station_id: stationId, data_server_id: dataServerId, tag_group_id: tagGroupId ?? null };
    this.#series.set(id, { id, alarm_id, ...location, first_raised: at, noted_raise: at, longest_gap: 0 });
    return id;
  }

  addText({ id: alarm_id, name, definition }: AlarmRecord): number {
    const id = this.#ids.next('history_texts');
    const text = { tag_name: name, message: definition.alarm.message };
    this.#texts.set(id, { id, alarm_id, ...text, last_entry_id: null });
    return id;
  }

  noteRaise(seriesId: number, at: Instant, longestGap: number): void {
    const note = { id: seriesId, noted_raise: at, longest_gap: longestGap };
    const known = this.#series.get(seriesId) ?? this.#notedRaises.get(seriesId);
    if (known === undefined) this.#notedRaises.set(seriesId, note);
    else Object.assign(known, note);
  }

  close(id: number, at: Instant): void {
    const opened = this.#opened.get(id);
    if (opened !== undefined) opened.reset_at = at;
    else this.#closed.push({ id, reset_at: at });
  }

  acknowledge(id: number, at: Instant, { name, userId }: Acknowledger, comment: string): void {
    this.#acknowledged.push({ id, ack_at: at, ack_user_id: userId ?? null, ack_user: name, comment });
  }

  comment(id: number, comment: string, { tagName, message }: Pick<Unacknowledged, 'tagName' | 'message'>): void {
    this.#commented.push({ id, comment });
    this.indexComment(id, tagName, message, comment);
  }

  indexComment(id: number, ...texts: readonly string[]): void {
    for (const word of distinctWords(...texts)) this.#commentWords.push({ word, history_id: id });
  }

  /** Keeps the last event of an alarm that is removed. */
  leave(entry: TrackedAlarm): void {
    const { occurrenceId } = entry.alarm;
    if (occurrenceId !== undefined && !this.#opened.has(occurrenceId)) this.#left.set(occurrenceId, entry);
  }

  /** Ends the series of an alarm that has left its location. */
  endSeries({ seriesId, life }: AlarmRecord): void {
    if (seriesId === undefined || this.#series.has(seriesId) || life.raisedAt === undefined) return;
    this.#endedSeries.push({ id: seriesId, ended_at: life.raisedAt });
  }

  /** Ends the text of an alarm that has another one now. */
  endText({ textId, occurrenceId = 0 }: AlarmRecord): void {
    if (textId === undefined) return;
    const text = this.#texts.get(textId);
    if (text !== undefined) text.last_entry_id = occurrenceId;
    else this.#endedTexts.push({ id: textId, last_entry_id: occurrenceId });
  }

  /** Occurrences that began in this transaction, such as one whose delay ended just before the acknowledgement. */
  openedOf({ id: alarmId, name, definition }: AlarmRecord): readonly Unacknowledged[] {
    return [...this.#opened.values()]
      .filter(({ alarm_id }) => alarm_id === alarmId)
      .map((row) => ({
        id: row.id ?? 0,
        ...locationOf(row),
        raisedAt: row.raised_at ?? 0,
        resetAt: row.reset_at ?? undefined,
        comment: '',
        tagName: name,
        message: definition.alarm.message,
      }));
  }

  async write(): Promise<void> {
    this.#useAssignedIds();
    await this.#writeTexts();
    await this.#writeEntries();
    for (const row of this.#opened.values()) this.counts.addEntry(row.id ?? 0, row.raised_at ?? 0, locationOf(row));
    await this.counts.write(this.#tx);
  }

  #useAssignedIds(): void {
    const idOf = (id: number | null): number => this.#ids.idOf(id ?? 0);
    for (const [id, row] of this.#opened) {
      row.event_id = this.#ids.optionalIdOf(this.#alarms.get(id)?.alarm.lastEventId) ?? null;
      row.id = idOf(row.id);
      row.series_id = idOf(row.series_id);
      row.text_id = idOf(row.text_id);
    }
    for (const row of [...this.#acknowledged, ...this.#commented]) row.id = idOf(row.id);
    for (const row of this.#commentWords) row.history_id = idOf(row.history_id);
    for (const row of this.#series.values()) row.id = idOf(row.id);
    for (const row of this.#texts.values()) row.id = idOf(row.id);
    for (const row of [...this.#texts.values(), ...this.#endedTexts])
      row.last_entry_id = row.last_entry_id === null ? null : idOf(row.last_entry_id);
  }

  async #writeTexts(): Promise<void> {
    const texts = [...this.#texts.values()];
    await this.#tx.each(historySeriesRows.insert, [...this.#series.values()]);
    await this.#tx.each(historySeriesRows.note, [...this.#notedRaises.values()]);
    await this.#tx.each(historySeriesRows.end, this.#endedSeries);
    await this.#tx.each(historyTextRows.insert, texts);
    await this.#tx.each(historyTextRows.end, this.#endedTexts);
    const words = texts.flatMap(({ id, tag_name, message }) =>
      distinctWords(tag_name ?? '', message ?? '').map((word) => ({ word, text_id: id })),
    );
    await this.#tx.each(historyTextRows.insertWords, words);
  }

  async #writeEntries(): Promise<void> {
    await this.#tx.each(historyRows.insert, [...this.#opened.values()]);
    await this.#tx.each(
      historyRows.leave,
      [...this.#left].map(([id, { alarm }]) => ({ id, event_id: this.#ids.optionalIdOf(alarm.lastEventId) ?? null })),
    );
    await this.#tx.each(historyRows.close, this.#closed);
    await this.#tx.each(historyRows.acknowledge, this.#acknowledged);
    await this.#tx.each(historyRows.comment, this.#commented);
    const commented = new Set(this.#commentWords.map(({ history_id }) => history_id));
    await this.#tx.each(
      commentWordRows.removeAll,
      [...commented].map((history_id) => ({ history_id })),
    );
    await this.#tx.each(commentWordRows.insert, this.#commentWords);
  }
}

function locationOf({ station_id, data_server_id, tag_group_id }: OccurrenceRow) {
  return { stationId: station_id ?? 0, dataServerId: data_server_id ?? 0, tagGroupId: tag_group_id ?? undefined };
}
