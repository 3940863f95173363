// Applies a person's answer to a call: take, heard, decline or later.

import type { Caller } from '../../domain/access/access.ts';
import {
  type AnnouncedItem,
  alarmIdsOf,
  announcedItem,
  includesItem,
  openAnnounced,
} from '../../domain/calls/announced.ts';
import type { CallAnswer, CallPolicy } from '../../domain/calls/call.ts';
import { mayAnswer } from '../../domain/calls/replies/inbound.ts';
import type { AlarmFate } from '../../domain/calls/words/alarm-fate.ts';
import { isBeingCalled, othersCalled } from '../../domain/calls/words/others-called.ts';
import type { OthersCalled } from '../../domain/calls/words/words.ts';
import { refer } from '../../domain/people/references.ts';
import { AppError } from '../../errors.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Operation, ReadTx } from '../../store/store.ts';
import { writeUnitOfWork } from '../alarms/intake/report.ts';
import { applyCommand, lasting } from '../alarms/operator-commands.ts';
import { type AuditOrigin, appendAudit, type NewAuditEntry } from '../audit/append.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { beginUnitOfWork, type UnitOfWork } from '../unit-of-work.ts';
import { announcedIn, endHeard, endsWhenHeard, openCausesOfCall } from './announced.ts';
import { noteAnswer, selectAttempt } from './attempts.ts';
import { fateOf } from './messages/fate-of.ts';
import { findCalls } from './queries.ts';

type AnswerInput = {
  readonly attemptId: number;
  readonly answer: CallAnswer | 'take';
  /** The announced items the answer is for; without them, all that the attempt announced. */
  readonly items?: readonly AnnouncedItem[];
  /** Whether the voice menu reads further items to the person. */
  readonly hasFurtherItems?: boolean;
  /** The person who was called. */
  readonly caller: Caller;
};

export type AnswerOutcome = {
  /** The alarms the answer took. */
  readonly taken: readonly number[];
  /** What became of the alarms, if the answer came too late for all of them; otherwise empty. */
  readonly fates: readonly AlarmFate[];
  readonly others: OthersCalled;
  /** Whether the person is called again, as somebody who asked for that is told. */
  readonly isCalledBack: boolean;
  /** Whether no announced item waits for an answer any more. */
  readonly isComplete: boolean;
};

export const answerCall: Operation<AnswerInput, AnswerOutcome> = {
  name: 'answer-call',
  async run(tx, now, { attemptId, answer, items, hasFurtherItems = false, caller }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row === undefined) throw new AppError('not-found', `There is no call ${attemptId}.`);
    const { snapshot, policy } = await readCallConfiguration(tx);
    const called = snapshot.people.get(row.user_id);
    if (called === undefined || !mayAnswer(called, row))
      throw new AppError('unprocessable', 'The person is no longer called at this number.');
    const person = { userId: row.user_id, name: called.name };
    const origin = { actor: `user:${row.user_id}`, address: row.address };
    const announced = announcedIn(row);
    const meant = items ?? announced.items;
    const open = await openCausesOfCall(tx, row.call_id);
    const answered = open.filter((cause) => includesItem(meant, announcedItem(cause)));
    const [before] = await findCalls(tx, [row.call_id]);
    const unit = beginUnitOfWork(tx, now);
    await unit.alarms.load(alarmIdsOf(meant));
    await unit.alarms.gather([], 'acknowledge');

    const current = await stillAnnounced(tx, unit, row.call_id, alarmIdsOf(meant));
    const taken = answer === 'take' ? takeAlarms(unit, current, now, { person, caller, origin, policy }) : [];
    const heard = answer === 'take' || answer === 'heard' ? answered.filter(endsWhenHeard) : [];
    const left = open.filter((cause) => !heard.includes(cause) && !taken.includes(cause.alarm_id ?? 0));
    const { named, hasMore } = openAnnounced(announced, left);
    const isComplete = !hasFurtherItems || named.length === 0;
    const reason = taken.length > 0 ? `acknowledged by ${refer.nameOfUser(person.userId)}` : 'heard';
    const said = answer === 'take' ? 'heard' : answer;
    unit.calls.post(
      row.call_id,
      isComplete
        ? { kind: 'answered', userId: row.user_id, answer: said, hasMore, reason }
        : { kind: 'causes-ended', reason },
      origin.actor,
    );
    const isTooLate = taken.length === 0 && answered.length === 0;
    const late = isTooLate ? alarmIdsOf(meant).filter((id) => !current.includes(id)) : [];
    const fates = late.map((id) => fateOf(unit.alarms.get(id)?.alarm, row.user_id, snapshot));

    await endHeard(tx, now, heard);
    await writeUnitOfWork(tx, now, unit);
    const acknowledged = answer === 'heard' ? alarmIdsOf(answered.map(announcedItem)) : taken;
    await tx.run(noteAnswer, answerNote(row, answer, acknowledged, now));
    const outcome = { answer, alarmIds: alarmIdsOf(meant), taken, missed: fates[0]?.kind };
    await appendAudit(tx, now, answerEntry(row, { user: person.name, ...outcome }, origin, caller));
    const cycles = unit.calls.call(row.call_id)?.cycles ?? [];
    const others = othersCalled(before?.call.cycles ?? [], cycles, row.user_id);
    const isCalledBack = cycles.some((cycle) => cycle.userId === row.user_id && isBeingCalled(cycle));
    return { taken, fates, others, isCalledBack, isComplete };
  },
};

/** Returns what the attempt's row says of the answer. A decline or a call back acknowledges nothing. */
export function answerNote(
  row: { readonly id: number; readonly acknowledged: string },
  answer: AnswerInput['answer'],
  acknowledged: readonly number[],
  now: Instant,
) {
  const before = JSON.parse(row.acknowledged) as readonly (readonly [alarmId: number, at: Instant])[];
  const known = new Set(before.map(([alarmId]) => alarmId));
  const added = acknowledged.filter((id) => !known.has(id)).map((id) => [id, now] as const);
  return {
    id: row.id,
    outcome: answer === 'decline' ? 'declined' : 'answered',
    ackAt: answer === 'take' || answer === 'heard' ? now : null,
    acknowledged: JSON.stringify([...before, ...added]),
  };
}

type Answerer = {
  readonly person: { readonly userId: number; readonly name: string };
  readonly caller: Caller;
  readonly origin: AuditOrigin;
  readonly policy: CallPolicy;
};

/**
 * Returns those of the alarms that are not acknowledged and in the same occurrence as the call announced: a late answer
 * still takes such an alarm, but never a newer occurrence, of which the person knows nothing.
 */
async function stillAnnounced(
  tx: ReadTx,
  { alarms }: UnitOfWork,
  callId: number,
  alarmIds: readonly number[],
): Promise<readonly number[]> {
  if (alarmIds.length === 0) return [];
  const rows = await tx.all(selectAnnounced, { callId, alarmIds: JSON.stringify(alarmIds) });
  return alarmIds.filter((id) => {
    const alarm = alarms.get(id)?.alarm;
    const isOpen = alarm !== undefined && (alarm.life.state & 2) !== 0;
    return isOpen && rows.some(({ alarm_id, history_id }) => alarm_id === id && history_id === alarm.occurrenceId);
  });
}

const selectAnnounced = statement((db, args: { callId: number; alarmIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['alarm_id', 'history_id'])
    .where('call_id', '=', args.callId)
    .where('alarm_id', 'in', idsIn(args.alarmIds, kind))
    .where('list', '=', 'alarm'),
);

/** Acknowledges those of the alarms that are not acknowledged yet; returns their ids. */
export function takeAlarms(
  unit: UnitOfWork,
  alarmIds: readonly number[],
  now: Instant,
  { person, caller, origin, policy }: Answerer,
): readonly number[] {
  const by = { actor: caller.actor, origin, acknowledger: person };
  const command = { kind: 'acknowledge', by: person.name, comment: '' } as const;
  return alarmIds.filter((id) => {
    const entry = unit.alarms.get(id);
    if (entry === undefined) return false;
    return applyCommand(unit, entry, lasting(command, entry.alarm.priority, policy), now, by) === undefined;
  });
}

/** `through` names who pressed the keys of a simulated phone. */
export function answerEntry(
  row: { readonly id: number; readonly station_id: number; readonly channel: string },
  outcome: object,
  origin: AuditOrigin,
  { actor: through, address: throughAddress }: Caller,
): NewAuditEntry {
  return {
    kind: 'call.answered',
    origin,
    stationId: row.station_id,
    subject: origin.actor,
    after: { attemptId: row.id, channel: row.channel, ...outcome, through, throughAddress },
  };
}
