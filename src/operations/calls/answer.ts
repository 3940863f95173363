// People answer calls: they take what was told, have heard it, decline, or want to be called later.

import type { Caller } from '../../domain/access/access.ts';
import { type AnnouncedItem, alarmIdsOf, announcedItem } from '../../domain/calls/announced.ts';
import type { CallAnswer } from '../../domain/calls/call.ts';
import { AppError } from '../../errors.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { acknowledgeAlarms } from '../alarms/operator-commands.ts';
import { raiseTroubleAlarms } from './advance.ts';
import { announcedIn, endHeard, openAnnouncedOf, openCausesAmong } from './announced.ts';
import { selectAttempt } from './attempts.ts';
import { readCallConfiguration } from './configuration.ts';
import { CallUnitOfWork } from './unit-of-work.ts';

type Answer = {
  readonly attemptId: number;
  readonly answer: CallAnswer | 'take';
  /** The announced items the answer is for; without them, all that the attempt announced. */
  readonly items?: readonly AnnouncedItem[];
  /** Whether more is read to the person in the same call. */
  readonly isGoingOn?: boolean;
  /** Who answers: the person who was called. */
  readonly caller: Caller;
};

export type Answered = {
  /** The alarms the answer took. */
  readonly taken: readonly number[];
  /** Why it took none, where it was to take some. */
  readonly missed: 'taken-already' | 'over' | undefined;
  /** Whether nothing of what was told waits for an answer any more. */
  readonly isThrough: boolean;
};

/**
 * A person answers a call: takes what it told of, has heard it, declines, or wants to be called later. What is over by that
 * ends first, so that what follows is for the rest alone.
 */
export const answerCall: Operation<Answer, Answered> = {
  name: 'answer-call',
  async run(tx, now, { attemptId, answer, items, isGoingOn = false, caller }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row === undefined) throw new AppError('not-found', `There is no call ${attemptId}.`);
    const { directory } = await readCallConfiguration(tx);
    const by = { userId: row.user_id, name: directory.people.get(row.user_id)?.name ?? '' };
    const meant = items ?? announcedIn(row).items;
    const open = await openCausesAmong(tx, row.call_id, meant);
    const toTake = answer === 'take' ? alarmIdsOf(open.map(announcedItem)) : [];
    const taken = await acknowledgeAlarms(tx, now, toTake, { by, caller, leaving: row.call_id });
    if (answer === 'take' || answer === 'heard') await endHeard(tx, now, open);
    const { named: left = [], hasMore = false } = (await openAnnouncedOf(tx, [row])).get(row) ?? {};
    const isThrough = !isGoingOn || left.length === 0;
    const reason = taken.length > 0 ? `acknowledged by ${by.name}` : 'heard';
    const said = answer === 'take' ? 'heard' : answer;
    await applyToCall(
      tx,
      now,
      row.call_id,
      isThrough
        ? { kind: 'answered', userId: row.user_id, answer: said, hasMore, reason }
        : { kind: 'causes-ended', reason },
    );
    const isMissed = answer === 'take' && taken.length === 0;
    return { taken, missed: isMissed ? await whyMissed(tx, alarmIdsOf(meant), by.userId) : undefined, isThrough };
  },
};

/** Why there is nothing to take of these alarms; nothing is missed by whoever has them already. */
async function whyMissed(tx: Tx, alarmIds: readonly number[], userId: number): Promise<Answered['missed']> {
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
