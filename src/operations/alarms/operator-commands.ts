// Operator commands on an alarm: acknowledge, reset, mask, unmask, comment, remove its definition; and due timers.

import { type Caller, seesStation, systemCaller } from '../../domain/access/access.ts';
import type { AlarmCommand, RefusalReason } from '../../domain/alarms/alarm.ts';
import { advance, dueTransitions } from '../../domain/alarms/transition.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import type { AuditOrigin } from '../audit/append.ts';
import type { Acknowledger } from '../history/unit-of-work.ts';
import { applyTransitions } from './apply-transitions.ts';
import { AlarmUnitOfWork, type TrackedAlarm } from './unit-of-work.ts';

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

type OperatorCommand = Extract<AlarmCommand, { kind: 'acknowledge' | 'reset' | 'mask' | 'unmask' }>;

type CommandAlarm = {
  readonly caller: Caller;
  readonly id: number;
  readonly command: OperatorCommand;
  readonly by: Acknowledger;
};

export const commandAlarm: Operation<CommandAlarm, void> = {
  name: 'command-alarm',
  async run(tx, now, { caller, id, command, by }) {
    const { unit, entry } = await existing(tx, id, caller);
    const { due, outcome } = advance(entry.alarm.life, command, now);
    if (outcome.kind === 'refused') {
      const [code, sentence, field] = refusals[outcome.reason];
      throw new AppError(code, sentence, field === undefined ? {} : { errors: [{ field, message: sentence }] });
    }
    if (command.kind === 'acknowledge') await unit.history.loadUnacknowledged(entry.alarm);
    await unit.resolveTargets();
    applyTransitions(unit, entry, [...due, outcome], { now, actor: caller.actor, origin: caller, by });
    await unit.write();
  },
};

type CallAcknowledger = {
  readonly by: { readonly userId: number; readonly name: string };
  readonly caller: Caller;
  readonly origin: AuditOrigin;
  /** The call in which the person acknowledges; the caller advances that call itself. */
  readonly leaving: number;
};

/** Acknowledges the alarms that are not acknowledged yet; returns their ids. */
export async function acknowledgeAlarms(
  tx: Tx,
  now: Instant,
  ids: readonly number[],
  { by, caller, origin, leaving }: CallAcknowledger,
): Promise<readonly number[]> {
  const unit = new AlarmUnitOfWork(tx);
  unit.calls.excludeCall(leaving);
  await unit.load(ids);
  await unit.resolveTargets();
  const acknowledged: number[] = [];
  for (const id of ids) {
    const entry = unit.get(id);
    if (entry === undefined) continue;
    const { due, outcome } = advance(entry.alarm.life, { kind: 'acknowledge', by: by.name, comment: '' }, now);
    if (outcome.kind === 'refused') continue;
    await unit.history.loadUnacknowledged(entry.alarm);
    applyTransitions(unit, entry, [...due, outcome], { now, actor: caller.actor, origin, by });
    acknowledged.push(id);
  }
  await unit.write();
  return acknowledged;
}

export const commentAlarm: Operation<{ caller: Caller; id: number; comment: string }, void> = {
  name: 'comment-alarm',
  async run(tx, now, { caller, id, comment }) {
    const { unit, entry } = await existing(tx, id, caller);
    const { alarm } = entry;
    const text = await tx.one(selectText, { historyId: alarm.occurrenceId ?? 0 });
    entry.alarm = { ...alarm, comment, life: { ...alarm.life, lastChange: Math.max(alarm.life.lastChange, now) } };
    if (text !== undefined) unit.history.comment(alarm, text, comment);
    unit.publish(entry, now, { kind: 'alarm.commented', actor: caller.actor, data: { comment } });
    unit.audit.add(now, {
      kind: 'alarm.commented',
      origin: caller,
      stationId: alarm.stationId,
      subject: `alarm:${id}`,
      before: { name: alarm.name, comment: alarm.comment },
      after: { name: alarm.name, comment },
    });
    await unit.write();
  },
};

/** Removes the definition; the history stays. */
export const deleteAlarm: Operation<{ caller: Caller; id: number }, void> = {
  name: 'delete-alarm',
  async run(tx, now, { caller, id }) {
    const { unit, entry } = await existing(tx, id, caller);
    applyTransitions(unit, entry, dueTransitions(entry.alarm.life, now), { now, actor: systemCaller.actor });
    const { state, raisedAt = now, lastChange } = entry.alarm.life;
    // Without a definition nothing could end an open occurrence, and statistics would count it as active for ever.
    // `lastChange` may be ahead of `now`, because another node's clock may have been ahead.
    const at = Math.max(now, lastChange);
    if (state === 1 || state === 3) entry.alarm = unit.history.close(entry.alarm, at, raisedAt);
    unit.calls.end(entry.alarm, now, 'the alarm was removed');
    unit.publish(entry, now, { kind: 'alarm.removed', actor: caller.actor, data: { name: entry.alarm.name } });
    const { name, path, priority, stationId, definition } = entry.alarm;
    const before = { name, path, priority, state, definition };
    unit.audit.add(now, { kind: 'alarm.removed', origin: caller, stationId, subject: `alarm:${id}`, before });
    unit.remove(entry);
    await unit.write();
  },
};

/** Small enough not to delay other operations; the caller repeats the operation until nothing is due. */
const dueBatchSize = 100;

/** Applies the transitions that are due: elapsed delays and expired masks. Returns how many alarms were due. */
export const runDueAlarms: Operation<Record<string, never>, number> = {
  name: 'run-due-alarms',
  async run(tx, now) {
    const due = await tx.all(selectDue, { now, limit: dueBatchSize });
    const unit = new AlarmUnitOfWork(tx);
    await unit.load(due.map(({ id }) => id));
    await unit.resolveTargets();
    for (const { id } of due) {
      const entry = unit.get(id);
      if (entry !== undefined)
        applyTransitions(unit, entry, dueTransitions(entry.alarm.life, now), { now, actor: systemCaller.actor });
    }
    await unit.write();
    return due.length;
  },
};

async function existing(tx: Tx, id: number, caller: Caller): Promise<{ unit: AlarmUnitOfWork; entry: TrackedAlarm }> {
  const unit = new AlarmUnitOfWork(tx);
  await unit.load([id]);
  const entry = unit.get(id);
  if (entry === undefined || !seesStation(caller, entry.alarm.stationId))
    throw new AppError('not-found', `There is no alarm ${id}.`);
  return { unit, entry };
}

const selectText = statement((db, args: { historyId: number }) =>
  db
    .selectFrom('alarm_histories')
    .innerJoin('history_texts', 'history_texts.id', 'text_id')
    .select(['tag_name as tagName', 'message'])
    .where('alarm_histories.id', '=', args.historyId),
);

const selectDue = statement((db, args: { now: number; limit: number }) =>
  db.selectFrom('alarms').select('id').where('next_due', '<=', args.now).orderBy('next_due').limit(args.limit),
);
