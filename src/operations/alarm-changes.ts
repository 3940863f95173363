// Writes what a decision about an alarm says: its row, its history entries and the events that tell of it.

import type { AlarmLife, OccurrenceChange, Transition } from '../domain/alarm.ts';
import { type AlarmDefinition, codeOf } from '../domain/alarm-definition.ts';
import { searchableText } from '../domain/search.ts';
import type { StoredAlarm } from '../store/alarms.ts';
import { appendEvent } from '../store/events.ts';
import { statement } from '../store/statement.ts';
import type { Instant, Tx } from '../store/store.ts';

/** Who acknowledges: the user's id when it is one. */
export type Acknowledger = { readonly name: string; readonly userId: number | undefined };

type Change = {
  readonly now: Instant;
  readonly actor: string;
  readonly by?: Acknowledger;
};

/** Steps that leave nothing to tell: neither state nor journal would gain from them. */
const silent = new Set<Transition['reason']>(['not-due', 'updated', 'delay-running', 'defined']);

/** Writes the transitions of one alarm, in order. Answers the alarm as it is then, or undefined when it is removed. */
export async function applyTransitions(
  tx: Tx,
  alarm: StoredAlarm,
  transitions: readonly Transition[],
  change: Change,
): Promise<StoredAlarm | undefined> {
  let current = alarm;
  for (const transition of transitions) {
    current = { ...current, life: transition.life };
    for (const occurrence of transition.occurrences)
      current = await writeOccurrence(tx, current, occurrence, change.by);
    if (!silent.has(transition.reason)) await tell(tx, current, transition, change);
    if (transition.isRemoved) {
      await tx.run(removeAlarm, { id: alarm.id });
      return undefined;
    }
  }
  await tx.run(updateLife, { id: alarm.id, ...lifeColumns(current), nextDue: transitions.at(-1)?.nextDue ?? null });
  return current;
}

async function tell(tx: Tx, alarm: StoredAlarm, transition: Transition, { now, actor }: Change): Promise<void> {
  await appendEvent(tx, now, {
    kind: `alarm.${transition.reason}`,
    actor,
    stationId: alarm.stationId,
    subjectId: alarm.id,
    data: {
      historyId: alarm.occurrenceId,
      state: transition.life.state,
      isAnnounced: transition.isAnnounced,
      isChanged: transition.isChanged,
      actions: transition.actions,
    },
  });
}

async function writeOccurrence(
  tx: Tx,
  alarm: StoredAlarm,
  occurrence: OccurrenceChange,
  by?: Acknowledger,
): Promise<StoredAlarm> {
  switch (occurrence.kind) {
    case 'open': {
      const id = await tx.insert(insertHistory, historyRow(alarm, occurrence.at));
      return {
        ...alarm,
        occurrenceId: id,
        occurrences: alarm.occurrences + 1,
        ackTime: undefined,
        ackUser: '',
        ackUserId: undefined,
        resetTime: undefined,
      };
    }
    case 'close':
      await tx.run(closeHistory, { id: alarm.occurrenceId ?? 0, at: occurrence.at });
      return { ...alarm, resetTime: occurrence.at };
    case 'acknowledge': {
      const userId = by?.userId;
      const { at, by: user, comment } = occurrence;
      await tx.run(acknowledgeHistories, {
        alarmId: alarm.id,
        at,
        userId: userId ?? null,
        user,
        comment,
        words: searchableText(comment),
      });
      return {
        ...alarm,
        ackTime: at,
        ackUser: user,
        ackUserId: userId,
        comment: comment === '' ? alarm.comment : comment,
      };
    }
  }
}

function historyRow(alarm: StoredAlarm, at: Instant) {
  const { message } = alarm.definition.alarm;
  return {
    alarmId: alarm.id,
    stationId: alarm.stationId,
    dataServerId: alarm.dataServerId,
    tagGroupId: alarm.tagGroupId ?? null,
    tagName: alarm.name,
    message,
    words: searchableText(alarm.name, message),
    priority: alarm.priority,
    code: codeOf(alarm.definition),
    at,
  };
}

/** The columns of what changes in a life, for an insert or an update. */
function lifeColumns(alarm: StoredAlarm) {
  const { life } = alarm;
  return {
    state: life.state,
    isLatched: life.isLatched ? 1 : 0,
    pendingSince: life.pendingSince ?? null,
    raisedAt: life.raisedAt ?? null,
    sourceTime: life.sourceTime ?? null,
    lastChange: life.lastChange,
    maskUntil: life.mask?.until ?? null,
    maskReason: life.mask?.reason ?? null,
    maskBy: life.mask?.by ?? null,
    ackTime: alarm.ackTime ?? null,
    ackUser: alarm.ackUser,
    ackUserId: alarm.ackUserId ?? null,
    resetTime: alarm.resetTime ?? null,
    comment: alarm.comment,
    occurrenceId: alarm.occurrenceId ?? null,
    occurrences: alarm.occurrences,
  };
}

/** What search finds an alarm by. */
export function alarmWords(
  alarm: Pick<StoredAlarm, 'path' | 'name' | 'comment' | 'value'>,
  definition: AlarmDefinition,
): string {
  return searchableText(alarm.path, alarm.name, definition.alarm.message, alarm.comment, alarm.value);
}

export function withLastChange(life: AlarmLife, now: Instant): AlarmLife {
  return { ...life, lastChange: Math.max(life.lastChange, now) };
}

type LifeColumns = ReturnType<typeof lifeColumns> & { id: number; nextDue: number | null };

const updateLife = statement<LifeColumns>((db, args) =>
  db
    .updateTable('alarms')
    .set({
      state: args.state,
      is_latched: args.isLatched as 0 | 1,
      pending_since: args.pendingSince,
      raised_at: args.raisedAt,
      source_time: args.sourceTime,
      last_change: args.lastChange,
      next_due: args.nextDue,
      mask_until: args.maskUntil,
      mask_reason: args.maskReason,
      mask_by: args.maskBy,
      ack_time: args.ackTime,
      ack_user: args.ackUser,
      ack_user_id: args.ackUserId,
      reset_time: args.resetTime,
      comment: args.comment,
      occurrence_id: args.occurrenceId,
      occurrences: args.occurrences,
    })
    .where('id', '=', args.id),
);

const insertHistory = statement<ReturnType<typeof historyRow>, { id: number }>((db, args) =>
  db
    .insertInto('alarm_histories')
    .values({
      alarm_id: args.alarmId,
      station_id: args.stationId,
      data_server_id: args.dataServerId,
      tag_group_id: args.tagGroupId,
      tag_name: args.tagName,
      message: args.message,
      words: args.words,
      priority: args.priority,
      code: args.code,
      raised_at: args.at,
      ack_at: null,
      ack_user_id: null,
      ack_user: null,
      reset_at: null,
      comment: '',
      comment_words: '',
    })
    .returning('id'),
);

const closeHistory = statement<{ id: number; at: number }>((db, args) =>
  db.updateTable('alarm_histories').set({ reset_at: args.at }).where('id', '=', args.id),
);

const acknowledgeHistories = statement<{
  alarmId: number;
  at: number;
  userId: number | null;
  user: string;
  comment: string;
  words: string;
}>((db, args) =>
  db
    .updateTable('alarm_histories')
    .set((eb) => ({
      ack_at: args.at,
      ack_user_id: args.userId,
      ack_user: args.user,
      // Taken without a word, it keeps the comment it has.
      comment: eb.case().when(eb.val(args.comment), '=', '').then(eb.ref('comment')).else(args.comment).end(),
      comment_words: eb.case().when(eb.val(args.comment), '=', '').then(eb.ref('comment_words')).else(args.words).end(),
    }))
    .where('alarm_id', '=', args.alarmId)
    .where('ack_at', 'is', null),
);

export const removeAlarm = statement<{ id: number }>((db, args) => db.deleteFrom('alarms').where('id', '=', args.id));
