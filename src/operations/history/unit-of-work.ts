// Collects the history changes of one transaction, occurrences that begin, end, are acknowledged or commented on, and
// writes them once.

import { codeOf } from '../../domain/alarms/definition.ts';
import { distinctWords } from '../../domain/search.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { commentWordRows, historyRows, historySeriesRows, historyTextRows } from '../alarms/rows.ts';
import { findUnacknowledged, type Unacknowledged } from './unacknowledged.ts';
import { Rollups } from './write-rollups.ts';

/** The acknowledger; `userId` is set when it is a user. */
export type Acknowledger = { readonly name: string; readonly userId: number | undefined };

/** Maps a temporary negative id to the id the row was written with. */
type NewId = (id: number) => number;

export type NewHistoryIds = { readonly history: NewId; readonly series: NewId; readonly text: NewId };

/** Maps -1 to the first of the fresh ids, and so on; positive ids are returned unchanged. */
export function newIdsFrom(fresh: readonly number[]): NewId {
  return (id) => (id < 0 ? (fresh[-id - 1] ?? 0) : id);
}

type RowOf<T extends { row?: unknown }> = { -readonly [K in keyof NonNullable<T['row']>]: NonNullable<T['row']>[K] };

const hourMs = 3_600_000;
/** How much older than the newest raise a noted raise may be. */
const noteAfterMs = 8 * hourMs;

/** Rounds a gap up to whole hours, because an alarm that is raised often would have a new longest gap all the time. */
export function wholeHours(ms: number): number {
  return Math.ceil(ms / hourMs) * hourMs;
}

export class HistoryUnitOfWork {
  readonly #tx: Tx;
  readonly #unacknowledged = new Map<number, Unacknowledged[]>();
  readonly #counts = new Rollups();
  readonly #opened: RowOf<typeof historyRows.insert>[] = [];
  readonly #closed: RowOf<typeof historyRows.close>[] = [];
  readonly #acknowledged: RowOf<typeof historyRows.acknowledge>[] = [];
  readonly #commented: RowOf<typeof historyRows.comment>[] = [];
  readonly #commentWords: RowOf<typeof commentWordRows.insert>[] = [];
  readonly #series: RowOf<typeof historySeriesRows.insert>[] = [];
  readonly #noted = new Map<number, RowOf<typeof historySeriesRows.note>>();
  readonly #endedSeries: RowOf<typeof historySeriesRows.end>[] = [];
  readonly #texts: RowOf<typeof historyTextRows.insert>[] = [];
  readonly #endedTexts: RowOf<typeof historyTextRows.end>[] = [];

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** Loads the alarm's unacknowledged occurrences; required before `acknowledge`. */
  async loadUnacknowledged({ id, unacknowledgedSince: since }: AlarmRecord): Promise<void> {
    this.#unacknowledged.set(id, since === undefined ? [] : await findUnacknowledged(this.#tx, id, since));
  }

  /** Begins an occurrence; the previous one began at `before`. */
  open(alarm: AlarmRecord, at: Instant, before: Instant): AlarmRecord {
    const seriesId = alarm.seriesId ?? this.#newSeries(alarm, at);
    const textId = alarm.textId ?? this.#newText(alarm);
    const occurrences = alarm.occurrences + 1;
    const { notedRaise, longestGap } = this.#note(alarm, at, before);
    this.#opened.push({
      id: -(this.#opened.length + 1),
      alarm_id: alarm.id,
      station_id: alarm.stationId,
      data_server_id: alarm.dataServerId,
      tag_group_id: alarm.tagGroupId ?? null,
      series_id: seriesId,
      text_id: textId,
      nth: occurrences,
      active_before: alarm.activeMs,
      priority: alarm.priority,
      code: codeOf(alarm.definition),
      raised_at: at,
      reset_at: null,
      comment: '',
    });
    return {
      ...alarm,
      seriesId,
      textId,
      occurrences,
      notedRaise,
      longestGap,
      occurrenceId: -this.#opened.length,
      occurrenceGroupId: alarm.tagGroupId,
      // The clock of another node may have been ahead.
      unacknowledgedSince: Math.min(alarm.unacknowledgedSince ?? at, at),
      ackTime: undefined,
      ackUser: '',
      ackUserId: undefined,
      resetTime: undefined,
      comment: '',
    };
  }

  /**
   * Updates the series row from which statistics decide without reading entries. It is written only when the
   * approximation would otherwise become poor.
   */
  #note({ seriesId, notedRaise, longestGap }: AlarmRecord, at: Instant, before: Instant) {
    if (seriesId === undefined) return { notedRaise: at, longestGap: 0 };
    const gap = Math.max(longestGap, wholeHours(at - before));
    if (gap === longestGap && at - notedRaise < noteAfterMs) return { notedRaise, longestGap };
    const known = this.#series[-seriesId - 1] ?? this.#noted.get(seriesId);
    const note = { id: seriesId, noted_raise: at, longest_gap: gap };
    if (known === undefined) this.#noted.set(seriesId, note);
    else Object.assign(known, note);
    return { notedRaise: at, longestGap: gap };
  }

  #newSeries({ id, stationId, dataServerId, tagGroupId }: AlarmRecord, at: Instant): number {
    const location = { station_id: stationId, data_server_id: dataServerId, tag_group_id: tagGroupId ?? null };
    const number = -(this.#series.length + 1);
    this.#series.push({ id: number, alarm_id: id, ...location, first_raised: at, noted_raise: at, longest_gap: 0 });
    return number;
  }

  #newText({ id, name, definition }: AlarmRecord): number {
    const number = -(this.#texts.length + 1);
    const text = { alarm_id: id, tag_name: name, message: definition.alarm.message };
    this.#texts.push({ id: number, ...text, last_entry_id: null });
    return number;
  }

  /** Ends the occurrence that began at `raisedAt`. */
  close(alarm: AlarmRecord, at: Instant, raisedAt: Instant): AlarmRecord {
    const { occurrenceId = 0, ackTime, ackUserId: userId } = alarm;
    const opened = this.#opened[-occurrenceId - 1];
    if (opened !== undefined) opened.reset_at = at;
    else this.#closed.push({ id: occurrenceId, reset_at: at });
    if (ackTime !== undefined && userId !== undefined) {
      const intervention = { interventions: 0, reactionMs: 0, finished: 1, interventionMs: at - ackTime };
      const location = { ...alarm, tagGroupId: alarm.occurrenceGroupId };
      this.#counts.addIntervention(raisedAt, location, { userId, ...intervention });
    }
    return { ...alarm, resetTime: at, activeMs: alarm.activeMs + at - raisedAt };
  }

  /** Acknowledges all unacknowledged occurrences; earlier ones must have been loaded. */
  acknowledge(alarm: AlarmRecord, at: Instant, by: Acknowledger, comment: string): AlarmRecord {
    for (const row of [...(this.#unacknowledged.get(alarm.id) ?? []), ...this.#openedOf(alarm)]) {
      // Without a new comment the entry keeps the one it has.
      const newComment = comment === '' ? row.comment : comment;
      const { name, userId } = by;
      this.#acknowledged.push({
        id: row.id,
        ack_at: at,
        ack_user_id: userId ?? null,
        ack_user: name,
        comment: newComment,
      });
      if (comment !== '') this.#indexComment(row.id, row.tagName, row.message, comment);
      if (userId === undefined) continue;
      const isOver = row.resetAt !== undefined && row.resetAt >= at;
      this.#counts.addIntervention(row.raisedAt, row, {
        userId,
        interventions: 1,
        reactionMs: at - row.raisedAt,
        finished: isOver ? 1 : 0,
        interventionMs: isOver ? (row.resetAt ?? at) - at : 0,
      });
    }
    this.#unacknowledged.delete(alarm.id);
    return {
      ...alarm,
      ackTime: at,
      ackUser: by.name,
      ackUserId: by.userId,
      unacknowledgedSince: undefined,
      comment: comment === '' ? alarm.comment : comment,
    };
  }

  /** Occurrences that began in this transaction, such as one whose delay ended just before the acknowledgement. */
  #openedOf({ id: alarmId, name, definition }: AlarmRecord): readonly Unacknowledged[] {
    return this.#opened
      .filter(({ alarm_id }) => alarm_id === alarmId)
      .map((row) => ({
        id: row.id ?? 0,
        stationId: row.station_id ?? 0,
        dataServerId: row.data_server_id ?? 0,
        tagGroupId: row.tag_group_id ?? undefined,
        raisedAt: row.raised_at ?? 0,
        resetAt: row.reset_at ?? undefined,
        comment: '',
        tagName: name,
        message: definition.alarm.message,
      }));
  }

  /** Comments on the newest occurrence, which keeps the text it began with. */
  comment(
    { occurrenceId = 0 }: AlarmRecord,
    { tagName, message }: Pick<Unacknowledged, 'tagName' | 'message'>,
    comment: string,
  ): void {
    this.#commented.push({ id: occurrenceId, comment });
    this.#indexComment(occurrenceId, tagName, message, comment);
  }

  #indexComment(historyId: number, ...texts: readonly string[]): void {
    for (const word of distinctWords(...texts)) this.#commentWords.push({ word, history_id: historyId });
  }

  /** Ends the series, because the alarm has left its location. */
  endSeries({ seriesId, life }: AlarmRecord): void {
    if (seriesId === undefined || seriesId < 0 || life.raisedAt === undefined) return;
    this.#endedSeries.push({ id: seriesId, ended_at: life.raisedAt });
  }

  /** Ends the text, because the alarm now has another one. */
  endText({ textId, occurrenceId = 0 }: AlarmRecord): void {
    if (textId === undefined) return;
    const text = this.#texts[-textId - 1];
    if (text !== undefined) text.last_entry_id = occurrenceId;
    else this.#endedTexts.push({ id: textId, last_entry_id: occurrenceId });
  }

  /** Assigns ids to the new rows. Returns the mappings for rows elsewhere that refer to them. */
  async assignIds(): Promise<NewHistoryIds> {
    const [histories, series, texts] = await Promise.all([
      this.#tx.nextIds('alarm_histories', this.#opened.length),
      this.#tx.nextIds('history_series', this.#series.length),
      this.#tx.nextIds('history_texts', this.#texts.length),
    ]);
    const ids = { history: newIdsFrom(histories), series: newIdsFrom(series), text: newIdsFrom(texts) };
    for (const row of this.#opened) {
      row.id = ids.history(row.id ?? 0);
      row.series_id = ids.series(row.series_id ?? 0);
      row.text_id = ids.text(row.text_id ?? 0);
    }
    for (const row of this.#acknowledged) row.id = ids.history(row.id ?? 0);
    for (const row of this.#commentWords) row.history_id = ids.history(row.history_id ?? 0);
    for (const row of this.#series) row.id = ids.series(row.id ?? 0);
    for (const row of this.#texts) row.id = ids.text(row.id ?? 0);
    for (const row of [...this.#texts, ...this.#endedTexts])
      row.last_entry_id = row.last_entry_id === null ? null : ids.history(row.last_entry_id);
    return ids;
  }

  async write(): Promise<void> {
    await this.#writeTexts();
    await this.#writeEntries();
    await this.#counts.write(this.#tx);
  }

  async #writeTexts(): Promise<void> {
    await this.#tx.each(historySeriesRows.insert, this.#series);
    await this.#tx.each(historySeriesRows.note, [...this.#noted.values()]);
    await this.#tx.each(historySeriesRows.end, this.#endedSeries);
    await this.#tx.each(historyTextRows.insert, this.#texts);
    await this.#tx.each(historyTextRows.end, this.#endedTexts);
    const words = this.#texts.flatMap(({ id, tag_name, message }) =>
      distinctWords(tag_name ?? '', message ?? '').map((word) => ({ word, text_id: id })),
    );
    await this.#tx.each(historyTextRows.insertWords, words);
  }

  async #writeEntries(): Promise<void> {
    await this.#tx.each(historyRows.insert, this.#opened);
    await this.#tx.each(historyRows.close, this.#closed);
    await this.#tx.each(historyRows.acknowledge, this.#acknowledged);
    await this.#tx.each(historyRows.comment, this.#commented);
    const commented = new Set(this.#commentWords.map(({ history_id }) => history_id));
    await this.#tx.each(
      commentWordRows.removeAll,
      [...commented].map((history_id) => ({ history_id })),
    );
    await this.#tx.each(commentWordRows.insert, this.#commentWords);
    for (const row of this.#opened) {
      const location = {
        stationId: row.station_id ?? 0,
        dataServerId: row.data_server_id ?? 0,
        tagGroupId: row.tag_group_id ?? undefined,
      };
      this.#counts.addEntry(row.id ?? 0, row.raised_at ?? 0, location);
    }
  }
}
