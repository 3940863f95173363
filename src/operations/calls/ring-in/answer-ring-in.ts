// Applies the answer of a person who has rung in: it belongs to no attempt of a call, but to every call for the alarm.

import type { Caller } from '../../../domain/access/access.ts';
import { isUntaken } from '../../../domain/alarms/alarm.ts';
import { type AnnouncedItem, alarmIdsOf, includesItem } from '../../../domain/calls/announced.ts';
import type { CallAnswer } from '../../../domain/calls/call.ts';
import type { AllAnnounced } from '../../../domain/calls/voice-menu.ts';
import type { AlarmFate } from '../../../domain/calls/words/alarm-fate.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { AppError } from '../../../errors.ts';
import { appendEvent } from '../../../store/event-log.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { writeUnitOfWork } from '../../alarms/intake/report.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { appendAudit } from '../../audit/append.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { type AnswerOutcome, answerEntry, answerNote, saidOf, takeAlarms } from '../answer.ts';
import { noteAnswer, selectAttempt } from '../attempts.ts';
import { callsChanged } from '../engine/call-events.ts';
import { othersCalled } from '../engine/others-called.ts';
import { keepAnswered } from '../engine/rows/earlier-attempts.ts';
import { countByStation } from '../messages/announced-now.ts';
import { fateOf } from '../messages/fate-of.ts';

type RingInAnswer = {
  readonly attemptId: number;
  readonly answer: CallAnswer | 'take';
  /** The announced items that the answer is for. */
  readonly items: readonly AnnouncedItem[];
  readonly hasFurtherItems: boolean;
  readonly caller: Caller;
};

export async function answerRingIn(tx: Tx, now: Instant, input: RingInAnswer): Promise<AnswerOutcome> {
  const { attemptId, answer, items, hasFurtherItems, caller } = input;
  const row = await tx.one(selectAttempt, { id: attemptId });
  if (row === undefined) throw new AppError('not-found', `There is no call ${attemptId}.`);
  const { snapshot, policy } = await readCallConfiguration(tx);
  const name = snapshot.people.get(row.user_id)?.name;
  if (name === undefined) throw new AppError('unprocessable', 'The person is no longer called.');
  const person = { userId: row.user_id, name };
  const origin = { actor: `user:${row.user_id}`, address: row.address };
  const unit = beginUnitOfWork(tx, now);
  const meant = alarmIdsOf(items);
  await unit.alarms.load(meant);
  await unit.alarms.gather([], 'acknowledge');
  const causes = await tx.all(selectCausesUpTo, { alarmIds: JSON.stringify(meant), at: row.started_at ?? 0 });
  const current = meant.filter((id) => {
    const alarm = unit.alarms.get(id)?.alarm;
    return isOpen(alarm) && causes.some((cause) => cause.alarm_id === id && cause.history_id === alarm?.occurrenceId);
  });
  const taken = answer === 'take' ? takeAlarms(unit, current, now, { person, caller, origin, policy }) : [];
  const late = answer === 'take' || taken.length === 0 ? meant.filter((id) => !current.includes(id)) : [];
  const fates = late.map((id) => fateOf(unit.alarms.get(id)?.alarm, row.user_id, snapshot));
  const said = answer === 'take' ? 'heard' : answer;
  const open = causes.filter((cause) => cause.ended_at === null && !taken.includes(cause.alarm_id ?? 0));
  const causeIds = [...new Set(open.map(({ cause_id, id }) => cause_id ?? id))];
  const answers = causeIds.map((causeId) => ({ causeId, answer: saidOf[said] }));
  await writeUnitOfWork(tx, now, unit);
  const noted = answerNote(row, answer, answer === 'heard' ? current : taken, answers, now);
  await tx.run(noteAnswer, { ...noted, tookAllAt: null });
  await keepAnswered(tx, row, causeIds);
  await appendEvent(tx, now, { kind: callsChanged, actor: origin.actor, subjectId: row.call_id });
  const outcome = {
    answer,
    alarmIds: meant,
    taken,
    missed: taken.length === 0 ? fates[0]?.kind : undefined,
    rangIn: true,
  };
  await appendAudit(tx, now, answerEntry(row, { user: person.name, ...outcome }, origin, caller));
  return { taken, fates, isComplete: !hasFurtherItems, ...(await othersCalled(tx, now, row.user_id, causeIds)) };
}

function isOpen(alarm: AlarmRecord | undefined): boolean {
  return alarm !== undefined && isUntaken(alarm.life);
}

type IndexedItem = { readonly item: AnnouncedItem; readonly index: number };

/** Returns by index what became of alarms that are no longer open. */
export async function fatesOfRingIn(
  tx: Tx,
  now: Instant,
  userId: number,
  items: readonly IndexedItem[],
): Promise<ReadonlyMap<number, AlarmFate>> {
  const { snapshot }: { readonly snapshot: PeopleSnapshot } = await readCallConfiguration(tx);
  const { alarms } = beginUnitOfWork(tx, now);
  await alarms.load(alarmIdsOf(items.map(({ item }) => item)));
  return new Map(
    items.flatMap(({ item, index }) => {
      const alarm = alarms.get(alarmIdsOf([item])[0] ?? 0)?.alarm;
      return isOpen(alarm) ? [] : [[index, fateOf(alarm, userId, snapshot)] as const];
    }),
  );
}

/** Returns the alarms that key 9 takes, with their number by station: those that were read, and the others except priority 1. */
export async function announcedToRingIn(
  tx: Tx,
  now: Instant,
  items: readonly AnnouncedItem[],
  wasRead: readonly AnnouncedItem[],
): Promise<AllAnnounced> {
  const { alarms } = beginUnitOfWork(tx, now);
  await alarms.load(alarmIdsOf(items));
  const meant = alarmIdsOf(items).flatMap((id) => {
    const alarm = alarms.get(id)?.alarm;
    const isMeant = isOpen(alarm) && ((alarm?.priority ?? 1) > 1 || includesItem(wasRead, { alarmId: id }));
    return isMeant && alarm !== undefined ? [{ alarmId: id, station_id: alarm.stationId }] : [];
  });
  const stations = await countByStation(tx as ReadTx, meant);
  return { items: meant.map(({ alarmId }) => ({ alarmId })), stations, gone: [] };
}

/** Later causes may be of an occurrence that the person was not told of. */
const selectCausesUpTo = statement((db, args: { alarmIds: string; at: Instant }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'cause_id', 'alarm_id', 'history_id', 'ended_at'])
    .where(isOneOfIds('alarm_id', args.alarmIds, kind))
    .where('list', '=', 'alarm')
    .where('created_at', '<=', args.at),
);
