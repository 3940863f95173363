// Applies a person's answer to a call: take, heard, decline or later.

import type { Caller } from '../../domain/access/access.ts';
import {
  type AnnouncedItem,
  alarmIdsOf,
  announcedItem,
  includesItem,
  openAnnounced,
} from '../../domain/calls/announced.ts';
import type { CallAnswer } from '../../domain/calls/call.ts';
import { refer } from '../../domain/people/references.ts';
import { AppError } from '../../errors.ts';
import type { Instant, Operation } from '../../store/store.ts';
import { writeUnitOfWork } from '../alarms/intake/report.ts';
import { applyCommand } from '../alarms/operator-commands.ts';
import { type AuditOrigin, appendAudit, type NewAuditEntry } from '../audit/append.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { beginUnitOfWork, type UnitOfWork } from '../unit-of-work.ts';
import { announcedIn, endHeard, endsWhenHeard, openCausesOfCall } from './announced.ts';
import { selectAttempt } from './attempts.ts';
import type { OpenCause } from './queries.ts';

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

type AnswerOutcome = {
  /** The alarms the answer took. */
  readonly taken: readonly number[];
  /** Why the answer `take` took no alarm. */
  readonly missed: 'taken-already' | 'over' | undefined;
  /** Whether no announced item waits for an answer any more. */
  readonly isComplete: boolean;
};

export const answerCall: Operation<AnswerInput, AnswerOutcome> = {
  name: 'answer-call',
  async run(tx, now, { attemptId, answer, items, hasFurtherItems = false, caller }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row === undefined) throw new AppError('not-found', `There is no call ${attemptId}.`);
    const { snapshot } = await readCallConfiguration(tx);
    const person = { userId: row.user_id, name: snapshot.people.get(row.user_id)?.name ?? '' };
    const origin = { actor: `user:${row.user_id}`, address: row.address };
    const announced = announcedIn(row);
    const meant = items ?? announced.items;
    const open = await openCausesOfCall(tx, row.call_id);
    const answered = open.filter((cause) => includesItem(meant, announcedItem(cause)));
    const unit = beginUnitOfWork(tx, now);
    await unit.alarms.load(alarmIdsOf(meant));
    await unit.alarms.gather([], 'acknowledge');

    const taken = answer === 'take' ? takeAlarms(unit, answered, now, { person, caller, origin }) : [];
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
    );
    const isMissed = answer === 'take' && taken.length === 0;
    const missed = isMissed ? reasonMissed(unit, alarmIdsOf(meant), person.userId) : undefined;

    await endHeard(tx, now, heard);
    await writeUnitOfWork(tx, now, unit);
    const outcome = { answer, alarmIds: alarmIdsOf(meant), taken, missed };
    await appendAudit(tx, now, answerEntry(row, { user: person.name, ...outcome }, origin, caller));
    return { taken, missed, isComplete };
  },
};

type Answerer = {
  readonly person: { readonly userId: number; readonly name: string };
  readonly caller: Caller;
  readonly origin: AuditOrigin;
};

/** Acknowledges the alarms of these causes that are not acknowledged yet; returns their ids. */
function takeAlarms(
  unit: UnitOfWork,
  causes: readonly OpenCause[],
  now: Instant,
  { person, caller, origin }: Answerer,
): readonly number[] {
  const by = { actor: caller.actor, origin, acknowledger: person };
  const command = { kind: 'acknowledge', by: person.name, comment: '' } as const;
  return alarmIdsOf(causes.map(announcedItem)).filter((id) => {
    const entry = unit.alarms.get(id);
    return entry !== undefined && applyCommand(unit, entry, command, now, by) === undefined;
  });
}

/** `through` names who pressed the keys of a simulated phone. */
function answerEntry(
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

/** Returns why none of these alarms could be taken; undefined if the person has taken one of them already. */
function reasonMissed({ alarms }: UnitOfWork, alarmIds: readonly number[], userId: number): AnswerOutcome['missed'] {
  if (alarmIds.length === 0) return undefined;
  const known = alarmIds.flatMap((id) => alarms.get(id)?.alarm ?? []);
  if (known.some(({ ackUserId }) => ackUserId === userId)) return undefined;
  return known.some(({ ackUser }) => ackUser !== '') ? 'taken-already' : 'over';
}
