// What people do to an alarm: acknowledge, reset, mask, unmask, comment on it, remove its definition.

import type { Caller } from '../domain/access.ts';
import type { AlarmCommand, RefusalReason } from '../domain/alarm.ts';
import { advance, dueTransitions } from '../domain/alarm-transition.ts';
import { searchableText } from '../domain/search.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { findAlarm, type StoredAlarm } from '../store/alarms.ts';
import { appendEvent } from '../store/events.ts';
import { statement } from '../store/statement.ts';
import type { Instant, Operation, Tx } from '../store/store.ts';
import { type Acknowledger, alarmWords, applyTransitions, removeAlarm } from './alarm-changes.ts';

const refusals: Record<RefusalReason, readonly [code: ErrorCode, sentence: string, field?: string]> = {
  'nothing-to-acknowledge': ['already-done', 'The alarm is at rest: there is nothing to acknowledge.'],
  'already-acknowledged': ['already-done', 'The alarm is acknowledged already.'],
  'not-active': ['already-done', 'The alarm is not active: there is nothing to reset.'],
  'not-latched': ['unprocessable', 'The alarm returns to normal by itself and cannot be reset by hand.'],
  'still-active': [
    'unprocessable',
    'The condition still holds: the alarm can be reset when its source has returned to normal.',
  ],
  'not-masked': ['already-done', 'The alarm is not masked.'],
  'mask-reason-missing': ['unprocessable', 'A mask needs a reason.', 'reason'],
  'mask-end-past': ['unprocessable', 'A mask must end in the future.', 'until'],
};

type PeoplesCommand = Extract<AlarmCommand, { kind: 'acknowledge' | 'reset' | 'mask' | 'unmask' }>;

type CommandAlarm = {
  readonly caller: Caller;
  readonly id: number;
  readonly command: PeoplesCommand;
  readonly by: Acknowledger;
};

/** Answers the alarm as it is then; undefined when it was temporary and is removed by this. */
export const commandAlarm: Operation<CommandAlarm, StoredAlarm | undefined> = {
  name: 'command-alarm',
  async run(tx, now, { caller, id, command, by }) {
    const alarm = await existing(tx, id, caller);
    const { due, outcome } = advance(alarm.life, command, now);
    if (outcome.kind === 'refused') {
      const [code, sentence, field] = refusals[outcome.reason];
      throw new AppError(code, sentence, field === undefined ? {} : { errors: [{ field, message: sentence }] });
    }
    const changed = await applyTransitions(tx, alarm, [...due, outcome], { now, actor: caller.actor, by });
    if (changed !== undefined && changed.comment !== alarm.comment) {
      await tx.run(updateWords, { id, words: alarmWords(changed, changed.definition) });
    }
    return changed;
  },
};

export const commentAlarm: Operation<{ caller: Caller; id: number; comment: string }, void> = {
  name: 'comment-alarm',
  async run(tx, now, { caller, id, comment }) {
    const alarm = await existing(tx, id, caller);
    await tx.run(updateComment, { id, comment, words: alarmWords({ ...alarm, comment }, alarm.definition), now });
    if (alarm.occurrenceId !== undefined)
      await tx.run(updateHistoryComment, { id: alarm.occurrenceId, comment, words: searchableText(comment) });
    await appendEvent(tx, now, {
      kind: 'alarm.commented',
      actor: caller.actor,
      stationId: alarm.stationId,
      subjectId: id,
      data: { comment },
    });
  },
};

/** Removes the definition; the history stays. */
export const deleteAlarm: Operation<{ caller: Caller; id: number }, void> = {
  name: 'delete-alarm',
  async run(tx, now, { caller, id }) {
    const alarm = await existing(tx, id, caller);
    // An occurrence that nothing can end any more would be active for ever in the statistics.
    await tx.run(closeOpenHistory, { id: alarm.occurrenceId ?? 0, now });
    await tx.run(removeAlarm, { id });
    await appendEvent(tx, now, {
      kind: 'alarm.removed',
      actor: caller.actor,
      stationId: alarm.stationId,
      subjectId: id,
      data: { name: alarm.name },
    });
  },
};

/** Few enough that a step delays nobody; whoever calls repeats it until nothing is due. */
const alarmsAStep = 100;

/** Does what has come due by now: delays that have run out, masks that end. Answers how many alarms were due. */
export const runDueAlarms: Operation<Record<string, never>, number> = {
  name: 'run-due-alarms',
  async run(tx, now) {
    const due = await tx.all(selectDue, { now, limit: alarmsAStep });
    for (const { id } of due) {
      const alarm = await findAlarm(tx, id, { stationIds: [] });
      if (alarm !== undefined)
        await applyTransitions(tx, alarm, dueTransitions(alarm.life, now), { now, actor: 'system' });
    }
    return due.length;
  },
};

async function existing(tx: Tx, id: number, caller: Caller): Promise<StoredAlarm> {
  const alarm = await findAlarm(tx, id, caller);
  if (alarm === undefined) throw new AppError('not-found', `There is no alarm ${id}.`);
  return alarm;
}

const updateComment = statement<{ id: number; comment: string; words: string; now: Instant }>((db, args) =>
  db
    .updateTable('alarms')
    .set({ comment: args.comment, words: args.words, last_change: args.now })
    .where('id', '=', args.id),
);

const closeOpenHistory = statement<{ id: number; now: Instant }>((db, args) =>
  db.updateTable('alarm_histories').set({ reset_at: args.now }).where('id', '=', args.id).where('reset_at', 'is', null),
);

const updateWords = statement<{ id: number; words: string }>((db, args) =>
  db.updateTable('alarms').set({ words: args.words }).where('id', '=', args.id),
);

const updateHistoryComment = statement<{ id: number; comment: string; words: string }>((db, args) =>
  db.updateTable('alarm_histories').set({ comment: args.comment, comment_words: args.words }).where('id', '=', args.id),
);

const selectDue = statement((db, args: { now: number; limit: number }) =>
  db.selectFrom('alarms').select('id').where('next_due', '<=', args.now).orderBy('next_due').limit(args.limit),
);
