// Applies a person's answer to a call: take, heard, decline or later.

import type { Caller } from '../../domain/access/access.ts';
import { type AnnouncedItem, alarmIdsOf, announcedItem } from '../../domain/calls/announced.ts';
import type { CallAnswer } from '../../domain/calls/call.ts';
import { refer } from '../../domain/people/references.ts';
import { AppError } from '../../errors.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { acknowledgeAlarms } from '../alarms/operator-commands.ts';
import { type AuditOrigin, appendAudit, type NewAuditEntry } from '../audit/append.ts';
import { raiseTroubleAlarms } from './advance.ts';
import { announcedIn, endHeard, openAnnouncedOf, openCausesAmong } from './announced.ts';
import { selectAttempt } from './attempts.ts';
import { readCallConfiguration } from './configuration.ts';
import { CallUnitOfWork } from './unit-of-work.ts';

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

/**
 * Applies the answer. Ends the causes that were taken or heard before it advances the call, so that the engine sees
 * only the remaining causes.
 */
export const answerCall: Operation<AnswerInput, AnswerOutcome> = {
  name: 'answer-call',
  async run(tx, now, { attemptId, answer, items, hasFurtherItems = false, caller }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row === undefined) throw new AppError('not-found', `There is no call ${attemptId}.`);
    const { snapshot } = await readCallConfiguration(tx);
    const by = { userId: row.user_id, name: snapshot.people.get(row.user_id)?.name ?? '' };
    const meant = items ?? announcedIn(row).items;
    const open = await openCausesAmong(tx, row.call_id, meant);
    const toTake = answer === 'take' ? alarmIdsOf(open.map(announcedItem)) : [];
    const origin = { actor: `user:${row.user_id}`, address: row.address };
    const taken = await acknowledgeAlarms(tx, now, toTake, { by, caller, origin, leaving: row.call_id });
    if (answer === 'take' || answer === 'heard') await endHeard(tx, now, open);
    const { named: left = [], hasMore = false } = (await openAnnouncedOf(tx, [row])).get(row) ?? {};
    const isComplete = !hasFurtherItems || left.length === 0;
    const reason = taken.length > 0 ? `acknowledged by ${refer.nameOfUser(by.userId)}` : 'heard';
    const said = answer === 'take' ? 'heard' : answer;
    await applyToCall(
      tx,
      now,
      row.call_id,
      isComplete
        ? { kind: 'answered', userId: row.user_id, answer: said, hasMore, reason }
        : { kind: 'causes-ended', reason },
    );
    const isMissed = answer === 'take' && taken.length === 0;
    const missed = isMissed ? await reasonMissed(tx, alarmIdsOf(meant), by.userId) : undefined;
    const outcome = { answer, alarmIds: alarmIdsOf(meant), taken, missed };
    await appendAudit(tx, now, answerEntry(row, { user: by.name, ...outcome }, origin, caller));
    return { taken, missed, isComplete };
  },
};

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
async function reasonMissed(tx: Tx, alarmIds: readonly number[], userId: number): Promise<AnswerOutcome['missed']> {
  if (alarmIds.length === 0) return undefined;
  const takers = await tx.all(selectTakers, { alarmIds: JSON.stringify(alarmIds) });
  if (takers.some(({ ack_user_id }) => ack_user_id === userId)) return undefined;
  return takers.some(({ ack_user }) => ack_user !== '') ? 'taken-already' : 'over';
}

async function applyToCall(
  tx: Tx,
  now: Instant,
  callId: number,
  event: Parameters<CallUnitOfWork['apply']>[1],
): Promise<void> {
  const calls = new CallUnitOfWork(tx, now);
  await calls.load([callId]);
  calls.apply(callId, event);
  await calls.write();
  await raiseTroubleAlarms(tx, now, calls.troubles);
}

const selectTakers = statement((db, args: { alarmIds: string }, kind) =>
  db.selectFrom('alarms').select(['ack_user', 'ack_user_id']).where('id', 'in', idsIn(args.alarmIds, kind)),
);
