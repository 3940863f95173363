// Applies a person's answer to a call: take, heard, decline or later.

import type { Caller } from '../../domain/access/access.ts';
import { type AnnouncedItem, alarmIdsOf, announcedItem, includesItem } from '../../domain/calls/announced.ts';
import type { CallAnswer, CallPolicy } from '../../domain/calls/call.ts';
import { mayAnswer } from '../../domain/calls/replies/inbound.ts';
import type { AlarmFate } from '../../domain/calls/words/alarm-fate.ts';
import type { OthersCalled } from '../../domain/calls/words/words.ts';
import type { AnswerTo } from '../../domain/escalation/escalation.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { isOneOfIds, statement } from '../../store/statement.ts';
import type { Instant, Operation, ReadTx } from '../../store/store.ts';
import { writeUnitOfWork } from '../alarms/intake/report.ts';
import { applyCommand, lasting } from '../alarms/operator-commands.ts';
import { type AuditOrigin, appendAudit, type NewAuditEntry } from '../audit/append.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { beginUnitOfWork, type UnitOfWork } from '../unit-of-work.ts';
import { announcedIn, endsWhenHeard, type OpenCause, openAnnouncedOf } from './announced.ts';
import { noteAnswer, selectAttempt } from './attempts.ts';
import { callsChanged } from './engine/call-events.ts';
import { othersCalled } from './engine/others-called.ts';
import { answersOf } from './engine/rows/attempt-rows.ts';
import { keepAnswered } from './engine/rows/earlier-attempts.ts';
import { endCauses } from './engine/rows/escalation-rows.ts';
import { fateOf } from './messages/fate-of.ts';

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
  /** What became of the alarms that it came too late for; unless it is *take*, only if it came too late for all. */
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
    const meant = items ?? announcedIn(row).items;
    const announced = (await openAnnouncedOf(tx, [row])).get(row)?.known ?? [];
    const said = answer === 'take' ? 'heard' : answer;
    const answered = announced.filter(isAnsweredBy(said, meant, row));
    const unit = beginUnitOfWork(tx, now);
    await unit.alarms.load(alarmIdsOf(meant));
    await unit.alarms.gather([], 'acknowledge');

    const current = await stillAnnounced(tx, unit, row, alarmIdsOf(meant));
    const taken = answer === 'take' ? takeAlarms(unit, current, now, { person, caller, origin, policy }) : [];
    const heard = said === 'heard' ? answered.filter(endsWhenHeard) : [];
    const left = announced.filter((cause) => !heard.includes(cause) && !taken.includes(cause.alarm_id ?? 0));
    const isComplete = !hasFurtherItems || left.every((cause) => answered.includes(cause));
    const isTooLate = taken.length === 0 && answered.length === 0;
    const late = isTooLate || answer === 'take' ? alarmIdsOf(meant).filter((id) => !current.includes(id)) : [];
    const fates = late.map((id) => fateOf(unit.alarms.get(id)?.alarm, row.user_id, snapshot));

    const heardIt = { by: 'heard', at: now, reason: { code: 'heard' } } as const;
    await endCauses(
      tx,
      heard.map(({ id }) => ({ causeId: id, ...heardIt })),
    );
    await writeUnitOfWork(tx, now, unit);
    const acknowledged = answer === 'heard' ? alarmIdsOf(answered.map(announcedItem)) : taken;
    const answers = answered.map(({ id }) => ({ causeId: id, answer: saidOf[said] }));
    // Who takes everything is left in peace for a moment, while further alarms gather.
    const tookAllAt = taken.length > 1 ? now : null;
    await tx.run(noteAnswer, { ...answerNote(row, answer, acknowledged, answers, now), tookAllAt });
    await keepAnswered(
      tx,
      row,
      answered.map(({ id }) => id),
    );
    await appendEvent(tx, now, { kind: callsChanged, actor: origin.actor, subjectId: row.call_id });
    const outcome = { answer, alarmIds: alarmIdsOf(meant), taken, missed: isTooLate ? fates[0]?.kind : undefined };
    await appendAudit(tx, now, answerEntry(row, { user: person.name, ...outcome }, origin, caller));
    const open = left.filter((cause) => answered.includes(cause)).map(({ id }) => id);
    return { taken, fates, isComplete, ...(await othersCalled(tx, now, row.user_id, open)) };
  },
};

/**
 * Which announced causes an answer is for: *heard* for those meant, *declined* for those of them that have no answer yet, and *later*
 * for all without one, named or counted.
 */
function isAnsweredBy(
  said: CallAnswer,
  meant: readonly AnnouncedItem[],
  row: { readonly answers: string },
): (cause: OpenCause) => boolean {
  const known = new Set(answersOf(row).map(([causeId]) => causeId));
  const isMeant = (cause: OpenCause): boolean => said === 'later' || includesItem(meant, announcedItem(cause));
  return (cause) => isMeant(cause) && (said === 'heard' || !known.has(cause.id));
}

export const saidOf = { heard: 'heard', decline: 'declined', later: 'later' } as const;

/** Returns what the attempt's row says of the answer. A decline or a call back acknowledges nothing. */
export function answerNote(
  row: { readonly id: number; readonly acknowledged: string; readonly answers: string },
  answer: AnswerInput['answer'],
  acknowledged: readonly number[],
  answers: readonly Omit<AnswerTo, 'at'>[],
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
    answers: JSON.stringify([...answersOf(row), ...answers.map((one) => [one.causeId, one.answer, now])]),
  };
}

type Answerer = {
  readonly person: { readonly userId: number; readonly name: string };
  readonly caller: Caller;
  readonly origin: AuditOrigin;
  readonly policy: CallPolicy;
};

/**
 * Returns those of the alarms that are not acknowledged and in the occurrence for which the announced cause stands: a late answer still
 * takes such an alarm, but never an occurrence that another cause was begun for, of which the person knows nothing.
 */
async function stillAnnounced(
  tx: ReadTx,
  { alarms }: UnitOfWork,
  row: { readonly announced: string | null; readonly announced_causes: string | null },
  alarmIds: readonly number[],
): Promise<readonly number[]> {
  if (alarmIds.length === 0) return [];
  const found = await tx.all(selectAnnounced, { ids: JSON.stringify(announcedIn(row).causes) });
  const rows = found.filter(({ list }) => list === 'alarm');
  return alarmIds.filter((id) => {
    const alarm = alarms.get(id)?.alarm;
    const isOpen = alarm !== undefined && (alarm.life.state & 2) !== 0;
    return isOpen && rows.some(({ alarm_id, history_id }) => alarm_id === id && history_id === alarm.occurrenceId);
  });
}

const selectAnnounced = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['alarm_id', 'history_id', 'list'])
    .where(isOneOfIds('id', args.ids, kind)),
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
