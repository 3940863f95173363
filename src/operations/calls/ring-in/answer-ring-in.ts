// Applies the answer of a person who has rung in: it belongs to no attempt of a call, but to every call for the alarm.

import type { Caller } from '../../../domain/access/access.ts';
import { isUntaken } from '../../../domain/alarms/alarm.ts';
import { type AnnouncedItem, alarmIdsOf, announcedItem, includesItem } from '../../../domain/calls/announced.ts';
import type { CallAnswer } from '../../../domain/calls/call.ts';
import type { AlarmFate } from '../../../domain/calls/words/alarm-fate.ts';
import { isBeingCalled, othersCalled } from '../../../domain/calls/words/others-called.ts';
import type { StationCount } from '../../../domain/calls/words/words.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { AppError } from '../../../errors.ts';
import { idsIn, statement } from '../../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { writeUnitOfWork } from '../../alarms/intake/report.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { appendAudit } from '../../audit/append.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../unit-of-work.ts';
import { type AnswerOutcome, answerEntry, answerNote, takeAlarms } from '../answer.ts';
import { noteAnswer, selectAttempt } from '../attempts.ts';
import { countByStation } from '../messages/announced-now.ts';
import { fateOf } from '../messages/fate-of.ts';
import { type CallRecord, findCalls, type OpenCause, openCausesOf } from '../queries.ts';

type RingInAnswer = {
  readonly attemptId: number;
  readonly answer: CallAnswer | 'take';
  /** The announced items that the answer is for. */
  readonly items: readonly AnnouncedItem[];
  /** Everything that the person has answered so far, with `items`. */
  readonly answered: readonly AnnouncedItem[];
  readonly hasFurtherItems: boolean;
  readonly caller: Caller;
};

/** Of a call a person hears at most this many causes' fate. */
const mostCauses = 20_000;

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
  const calls = (await findCalls(tx, [...new Set(causes.flatMap(({ call_id }) => call_id ?? []))])).filter(
    ({ call }) => call.phase !== 'ended',
  );
  const taken = answer === 'take' ? takeAlarms(unit, current, now, { person, caller, origin, policy }) : [];
  await postAnswers(tx, unit, calls, { ...input, userId: row.user_id, taken });
  const late = taken.length === 0 ? meant.filter((id) => !current.includes(id)) : [];
  const fates = late.map((id) => fateOf(unit.alarms.get(id)?.alarm, row.user_id, snapshot));
  await writeUnitOfWork(tx, now, unit);
  await tx.run(noteAnswer, answerNote(row, answer, answer === 'heard' ? current : taken, now));
  const outcome = { answer, alarmIds: meant, taken, missed: fates[0]?.kind, rangIn: true };
  await appendAudit(tx, now, answerEntry(row, { user: person.name, ...outcome }, origin, caller));
  const after = calls.flatMap(({ id, call }) => unit.calls.call(id)?.cycles ?? call.cycles);
  const before = calls.flatMap(({ call }) => call.cycles);
  return {
    taken,
    fates,
    others: othersCalled(before, after, row.user_id),
    isCalledBack: after.some((cycle) => cycle.userId === row.user_id && isBeingCalled(cycle)),
    isComplete: !hasFurtherItems,
  };
}

type Posted = RingInAnswer & { readonly userId: number; readonly taken: readonly number[] };

/**
 * Ends the person's part of the calls that call them: at once if they decline or ask for a later call, otherwise when they
 * have answered everything that is still open in the call.
 */
async function postAnswers(
  tx: Tx,
  unit: UnitOfWork,
  calls: readonly CallRecord[],
  { answer, answered, userId, taken }: Posted,
): Promise<void> {
  const own = calls.filter(({ call }) => call.cycles.some((one) => one.userId === userId && isBeingCalled(one)));
  if (own.length === 0) return;
  const open = await openCausesOf(
    tx,
    own.map(({ id }) => id),
    mostCauses,
  );
  const isAnswered = (cause: OpenCause): boolean => includesItem(answered, announcedItem(cause));
  for (const { id } of own) {
    const left = (open.get(id)?.causes ?? []).filter(({ alarm_id }) => !taken.includes(alarm_id ?? 0));
    const said = answer === 'take' ? 'heard' : answer;
    if (said !== 'heard' || (left.length > 0 && left.every(isAnswered)))
      unit.calls.post(id, { kind: 'answered', userId, answer: said, reason: 'heard' }, `user:${userId}`);
  }
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
): Promise<{ readonly items: readonly AnnouncedItem[]; readonly stations: readonly StationCount[] }> {
  const { alarms } = beginUnitOfWork(tx, now);
  await alarms.load(alarmIdsOf(items));
  const meant = alarmIdsOf(items).flatMap((id) => {
    const alarm = alarms.get(id)?.alarm;
    const isMeant = isOpen(alarm) && ((alarm?.priority ?? 1) > 1 || includesItem(wasRead, { alarmId: id }));
    return isMeant && alarm !== undefined ? [{ alarmId: id, station_id: alarm.stationId }] : [];
  });
  return { items: meant.map(({ alarmId }) => ({ alarmId })), stations: await countByStation(tx as ReadTx, meant) };
}

/** Later causes may be of an occurrence that the person was not told of. */
const selectCausesUpTo = statement((db, args: { alarmIds: string; at: Instant }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['call_id', 'alarm_id', 'history_id'])
    .where('alarm_id', 'in', idsIn(args.alarmIds, kind))
    .where('list', '=', 'alarm')
    .where('created_at', '<=', args.at),
);
