// Records the occurrences of alarms: when they begin, end, are acknowledged and commented on.

import type { OccurrenceChange } from '../../domain/alarms/alarm.ts';
import { codeOf } from '../../domain/alarms/definition.ts';
import type { NewIds } from '../../store/new-ids.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { Acknowledger, AlarmChange, GatheredCommand, Reaction, TrackedAlarm } from '../alarms/reaction.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { HistoryBatch } from './history-batch.ts';
import {
  type Acknowledgement,
  acknowledgeEntry,
  addPending,
  mostAtOnce,
  type PendingAcknowledgement,
  pendingUpTo,
  pieceSize,
} from './pending-acknowledgements.ts';
import { findUnacknowledged, findUnacknowledgedEntry, type Unacknowledged } from './unacknowledged.ts';

const hourMs = 3_600_000;
/** How much older than the newest raise a noted raise may be. */
const noteAfterMs = 8 * hourMs;

/** Rounds a gap up to whole hours, because an alarm that is raised often would have a new longest gap all the time. */
export function wholeHours(ms: number): number {
  return Math.ceil(ms / hourMs) * hourMs;
}

/** The text that an occurrence began with. */
type OccurrenceText = Pick<Unacknowledged, 'tagName' | 'message'>;

/** The unacknowledged occurrences of an alarm, or the oldest of them, and the newest. */
type Gathered = {
  readonly all: readonly Unacknowledged[];
  readonly newest: readonly Unacknowledged[];
  readonly since: Instant;
  readonly upTo: number;
};

/** Owns the columns of an alarm that describe its newest occurrence. */
export class HistoryReaction implements Reaction {
  readonly #tx: Tx;
  readonly #batch: HistoryBatch;
  readonly #unacknowledged = new Map<number, Gathered>();
  readonly #pending: PendingAcknowledgement[] = [];
  /** The text of the newest occurrence, by alarm. */
  readonly #texts = new Map<number, OccurrenceText>();

  constructor(tx: Tx, ids: NewIds) {
    this.#tx = tx;
    this.#batch = new HistoryBatch(tx, ids);
  }

  async gather(alarms: readonly AlarmRecord[], command: GatheredCommand): Promise<void> {
    // Asked together, so that PostgreSQL answers for all alarms in a few round trips.
    await Promise.all(alarms.map((alarm) => this.#gatherFor(alarm, command)));
  }

  async #gatherFor(alarm: AlarmRecord, command: GatheredCommand): Promise<void> {
    const { id, occurrenceId } = alarm;
    if (command === 'acknowledge') {
      this.#unacknowledged.set(id, await this.#gatherUnacknowledged(alarm));
      return;
    }
    const text = await this.#tx.one(selectText, { historyId: occurrenceId ?? 0 });
    if (text !== undefined) this.#texts.set(id, text);
  }

  /** Gathers as many as are acknowledged at once; one more tells that there are others. */
  async #gatherUnacknowledged(alarm: AlarmRecord): Promise<Gathered> {
    const { id: alarmId, unacknowledgedSince: since, occurrenceId: upTo = 0 } = alarm;
    if (since === undefined) return { all: [], newest: [], since: 0, upTo };
    const after = await pendingUpTo(this.#tx, alarmId);
    const all = await findUnacknowledged(this.#tx, { alarmId, since, after, upTo, limit: mostAtOnce + 1 });
    const isKnown = all.length <= mostAtOnce;
    const newest = isKnown ? all.filter(({ id }) => id === upTo) : await findUnacknowledgedEntry(this.#tx, upTo);
    return { all, newest, since, upTo };
  }

  note(change: AlarmChange): void {
    const { entry, before, at, by } = change;
    switch (change.kind) {
      case 'transition':
        this.#applyOccurrences(entry, change.transition.occurrences, before.life.raisedAt ?? at, by.acknowledger);
        if (change.transition.reason === 'acknowledgement-expired') entry.alarm = unacknowledged(entry.alarm);
        if (change.transition.isRemoved) this.#leave(entry);
        break;
      case 'redefined':
        this.#redefine(entry, before);
        break;
      case 'commented':
        this.#comment(entry.alarm);
        break;
      case 'removed':
        entry.alarm = this.#closeOpen(entry.alarm, at);
        this.#leave(entry);
        break;
      case 'news-due':
        break;
    }
  }

  async write(): Promise<void> {
    await this.#batch.write();
    await addPending(this.#tx, this.#pending);
  }

  #applyOccurrences(
    entry: TrackedAlarm,
    occurrences: readonly OccurrenceChange[],
    raisedBefore: Instant,
    by?: Acknowledger,
  ): void {
    let raisedAt = raisedBefore;
    for (const occurrence of occurrences) {
      const { at } = occurrence;
      if (occurrence.kind === 'open') {
        entry.alarm = this.#open(entry, at, raisedAt);
        raisedAt = at;
      } else if (occurrence.kind === 'close') entry.alarm = this.#close(entry.alarm, at, raisedAt);
      else {
        const acknowledger = { name: occurrence.by, userId: by?.userId };
        entry.alarm = this.#acknowledge(entry.alarm, at, acknowledger, occurrence.comment);
      }
    }
  }

  /** Begins an occurrence; the previous one began at `before`. */
  #open(entry: TrackedAlarm, at: Instant, before: Instant): AlarmRecord {
    const { alarm } = entry;
    const seriesId = alarm.seriesId ?? this.#batch.addSeries(alarm, at);
    const textId = alarm.textId ?? this.#batch.addText(alarm);
    const occurrences = alarm.occurrences + 1;
    const { notedRaise, longestGap } = this.#noteRaise(alarm, at, before);
    const occurrenceId = this.#batch.addOccurrence(entry, {
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
      occurrenceId,
      occurrenceGroupId: alarm.tagGroupId,
      occurrenceStationId: undefined,
      occurrenceServerId: undefined,
      // The clock of another node may have been ahead.
      unacknowledgedSince: Math.min(alarm.unacknowledgedSince ?? at, at),
      ackTime: undefined,
      ackUser: '',
      ackUserId: undefined,
      firstAckTime: undefined,
      firstAckUserId: undefined,
      resetTime: undefined,
      comment: '',
    };
  }

  /**
   * Updates the series row from which statistics decide without reading entries. It is written only when the
   * approximation would otherwise become poor.
   */
  #noteRaise({ seriesId, notedRaise, longestGap }: AlarmRecord, at: Instant, before: Instant) {
    if (seriesId === undefined) return { notedRaise: at, longestGap: 0 };
    const gap = Math.max(longestGap, wholeHours(at - before));
    if (gap === longestGap && at - notedRaise < noteAfterMs) return { notedRaise, longestGap };
    this.#batch.noteRaise(seriesId, at, gap);
    return { notedRaise: at, longestGap: gap };
  }

  /** Ends the occurrence that began at `raisedAt`. */
  #close(alarm: AlarmRecord, at: Instant, raisedAt: Instant): AlarmRecord {
    const { occurrenceId = 0 } = alarm;
    const { ackTime, ackUserId: userId } = firstAcknowledgement(alarm);
    this.#batch.close(occurrenceId, at);
    if (ackTime !== undefined && userId !== undefined) {
      const intervention = { interventions: 0, reactionMs: 0, finished: 1, interventionMs: at - ackTime };
      const location = {
        stationId: alarm.occurrenceStationId ?? alarm.stationId,
        dataServerId: alarm.occurrenceServerId ?? alarm.dataServerId,
        tagGroupId: alarm.occurrenceGroupId,
      };
      this.#batch.counts.addIntervention(raisedAt, location, { userId, ...intervention });
    }
    return { ...alarm, resetTime: at, activeMs: alarm.activeMs + at - raisedAt };
  }

  /**
   * Ends the occurrence of an alarm whose definition is removed: nothing could end it later, and statistics would count
   * it as active for ever. `lastChange` may be ahead of `now`, because another node's clock may have been ahead.
   */
  #closeOpen(alarm: AlarmRecord, now: Instant): AlarmRecord {
    const { state, raisedAt = now, lastChange } = alarm.life;
    return state === 1 || state === 3 ? this.#close(alarm, Math.max(now, lastChange), raisedAt) : alarm;
  }

  /** Acknowledges all unacknowledged occurrences; those of earlier transactions must have been gathered. */
  #acknowledge(alarm: AlarmRecord, at: Instant, by: Acknowledger, comment: string): AlarmRecord {
    const { name, userId } = by;
    const acknowledgement = { at, by, comment };
    for (const row of [...this.#acknowledgedAtOnce(alarm, acknowledgement), ...this.#batch.openedOf(alarm)])
      acknowledgeEntry(this.#batch, row, acknowledgement);
    this.#unacknowledged.delete(alarm.id);
    return {
      ...alarm,
      ackTime: at,
      ackUser: name,
      ackUserId: userId,
      unacknowledgedSince: undefined,
      comment: comment === '' ? alarm.comment : comment,
    };
  }

  /**
   * Returns the gathered occurrences; of more than one transaction should write only the newest, whose end may follow at
   * any time, and the others are left to a row of pending work.
   */
  #acknowledgedAtOnce({ id: alarmId }: AlarmRecord, acknowledgement: Acknowledgement): readonly Unacknowledged[] {
    const gathered = this.#unacknowledged.get(alarmId);
    if (gathered === undefined) return [];
    const { all, newest, since, upTo } = gathered;
    if (all.length <= pieceSize(mostAtOnce, acknowledgement.comment, all)) return all;
    this.#pending.push({ alarmId, since, upTo, ...acknowledgement });
    return newest;
  }

  /** Comments on the newest occurrence, which keeps the text it began with. */
  #comment(alarm: AlarmRecord): void {
    const { id, occurrenceId = 0, comment } = alarm;
    const text = this.#batch.openedOf(alarm).at(-1) ?? this.#texts.get(id);
    if (text !== undefined) this.#batch.comment(occurrenceId, comment, text);
  }

  /** Begins a series when the alarm was moved to another tag group or data server, and a text when it has another name or message. */
  #redefine(entry: TrackedAlarm, before: AlarmRecord): void {
    const { alarm } = entry;
    const isMoved = alarm.tagGroupId !== before.tagGroupId || alarm.dataServerId !== before.dataServerId;
    const isReworded = alarm.name !== before.name || alarm.definition.alarm.message !== before.definition.alarm.message;
    if (isMoved) this.#batch.endSeries(before);
    if (isReworded) this.#batch.endText(before);
    if (!isMoved && !isReworded) return;
    const isElsewhere = alarm.dataServerId !== before.dataServerId;
    entry.alarm = {
      ...alarm,
      ...(isElsewhere ? placeOfOccurrence(before) : {}),
      seriesId: isMoved ? undefined : alarm.seriesId,
      textId: isReworded ? undefined : alarm.textId,
    };
  }

  #leave(entry: TrackedAlarm): void {
    this.#batch.leave(entry);
    this.#batch.endSeries(entry.alarm);
    this.#batch.endText(entry.alarm);
  }
}

/** The occurrence stays where it began, and so do the counts of it. */
function placeOfOccurrence(before: AlarmRecord): Pick<AlarmRecord, 'occurrenceStationId' | 'occurrenceServerId'> {
  return {
    occurrenceStationId: before.occurrenceStationId ?? before.stationId,
    occurrenceServerId: before.occurrenceServerId ?? before.dataServerId,
  };
}

/** The alarm after its acknowledgement has expired; the first one stays that of the occurrence. */
function unacknowledged(alarm: AlarmRecord): AlarmRecord {
  const { ackTime: firstAckTime, ackUserId: firstAckUserId } = firstAcknowledgement(alarm);
  return { ...alarm, ackTime: undefined, ackUser: '', ackUserId: undefined, firstAckTime, firstAckUserId };
}

/** The acknowledgement that the history entry of the newest occurrence has. */
function firstAcknowledgement(alarm: AlarmRecord): Pick<AlarmRecord, 'ackTime' | 'ackUserId'> {
  const { firstAckTime, firstAckUserId, ackTime, ackUserId } = alarm;
  return firstAckTime === undefined ? { ackTime, ackUserId } : { ackTime: firstAckTime, ackUserId: firstAckUserId };
}

const selectText = statement((db, args: { historyId: number }) =>
  db
    .selectFrom('alarm_histories')
    .innerJoin('history_texts', 'history_texts.id', 'text_id')
    .select(['tag_name as tagName', 'message'])
    .where('alarm_histories.id', '=', args.historyId),
);
