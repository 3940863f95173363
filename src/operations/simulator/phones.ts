// Operations of simulated phones: ring, answer, press keys, hang up, show a text, send a reply. A phone is rows of a
// table.

import { sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import type { CallMessage } from '../../domain/calls/delivery.ts';
import type { PhoneOutcome } from '../../domain/calls/phone-outcome.ts';
import { AppError } from '../../errors.ts';
import { appendEvent, appendEvents, type NewEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import { type Instant, type Operation, setOperation, type Tx } from '../../store/store.ts';
import { noteRang } from '../calls/attempts.ts';
import { takeAnswer } from '../calls/inbound/take-answer.ts';
import { answerIn, beginIn, endIn, type Keys, pressIn, type Said, tellIn } from '../conversations/converse.ts';
import type { OnLine } from '../conversations/menu-steps.ts';
import { phoneRows, selectByAttempt, selectOnLine, selectShown } from './phone-rows.ts';

type MessageInput = { readonly message: CallMessage };

/** Makes the phone ring. Idempotent per attempt; returns `busy` if the phone is in use. */
export const ringPhone: Operation<MessageInput, 'ringing' | 'busy'> = {
  name: 'ring-phone',
  async run(tx, now, { message }) {
    const { attemptId, userId, text, address } = message;
    if ((await tx.one(selectByAttempt, { attemptId })) !== undefined) return 'ringing';
    if ((await tx.one(selectOnLine, { userId })) !== undefined) return 'busy';
    await beginIn(tx, now, message);
    await tx.insert(insertMessage, { ...rowOf(message, now), text, state: 'ringing' });
    await tx.run(noteRang, { id: attemptId, now });
    await appendPhoneEvent(tx, now, userId, 'ringing', { attemptId, text, address });
    return 'ringing';
  },
};

/** Shows texts on phones, once per attempt. */
export const showText = setOperation<MessageInput, void>('show-text', async (tx, jobs) => {
  const ids = JSON.stringify(jobs.map(({ input }) => input.message.attemptId));
  const shown = new Set((await tx.all(selectShown, { ids })).map(({ attempt_id }) => attempt_id));
  const fresh = jobs
    .filter(({ input }) => !shown.has(input.message.attemptId))
    .map(({ now, input: { message } }) => ({ now, message, text: message.text }));
  await tx.each(
    phoneRows.insert,
    fresh.map(({ now, message, text }) => ({
      user_id: message.userId,
      attempt_id: message.attemptId,
      channel: message.channel,
      address: message.address,
      direction: 'to',
      text,
      state: 'delivered',
      outcome: '',
      created_at: now,
    })),
  );
  await appendEvents(
    tx,
    fresh.map(({ now, message: { attemptId, userId, channel, address }, text }) => ({
      ...phoneEvent(userId, 'text', { attemptId, text, channel, address }),
      at: now,
    })),
  );
  return jobs.map(() => ({ kind: 'done', outcome: undefined }));
});

type CutLine = { readonly attemptId: number; readonly outcome: PhoneOutcome; readonly which: 'ringing' | 'any' };

/**
 * Ends an attempt from the side of the server: any, or only an unanswered one. Returns its outcome, undefined if it
 * continues.
 */
export const cutLine: Operation<CutLine, PhoneOutcome | undefined> = {
  name: 'cut-line',
  async run(tx, now, { attemptId, outcome, which }) {
    const row = await tx.one(selectByAttempt, { attemptId });
    if (row === undefined) return outcome;
    if (row.state === 'ended') return row.outcome as PhoneOutcome;
    if (row.state === 'answered' && which === 'ringing') return undefined;
    const how = row.state === 'answered' ? 'answered' : outcome;
    await end(tx, now, row, how);
    return how;
  },
};

type OnPhone = { readonly userId: number };

export const answerPhone: Operation<OnPhone & Pick<Keys, 'open'>, Said> = {
  name: 'answer-phone',
  async run(tx, now, { userId, open }) {
    const row = await onLine(tx, userId);
    if (row.state !== 'ringing') throw new AppError('already-done', 'The call is answered already.');
    const said = await answerIn(tx, now, row.attempt_id ?? 0, open);
    await tx.run(setAnswered, { id: row.id, now });
    await appendPhoneEvent(tx, now, userId, 'answered', { attemptId: row.attempt_id, text: said.text });
    return said;
  },
};

export const pressKeys: Operation<OnPhone & Keys, Said> = {
  name: 'press-keys',
  async run(tx, now, { userId, ...keys }) {
    const row = await onLine(tx, userId);
    const said = await pressIn(tx, now, row.attempt_id ?? 0, keys);
    if (said.isOver) await end(tx, now, row, said.isLockedOut ? 'wrong-pin' : 'answered');
    return said;
  },
};

/** Tells a person in a conversation that somebody else has taken an alarm; the call ends if nothing is left. */
export const tellPhone: Operation<{ readonly attemptId: number }, void> = {
  name: 'tell-phone',
  async run(tx, now, { attemptId }) {
    const row = await tx.one(selectByAttempt, { attemptId });
    if (row?.state !== 'answered') return;
    const said = await tellIn(tx, now, attemptId);
    if (said === undefined) return;
    const { text, isOver } = said;
    if (text !== '') {
      await tx.run(addText, { id: row.id, text: `\n${text}` });
      await appendPhoneEvent(tx, now, row.user_id, 'said', { attemptId, text });
    }
    if (isOver) await end(tx, now, row, 'answered');
  },
};

export const hangUp: Operation<OnPhone, void> = {
  name: 'hang-up',
  async run(tx, now, { userId }) {
    const row = await onLine(tx, userId);
    await end(tx, now, row, row.state === 'ringing' ? 'rejected' : 'answered');
  },
};

type Reply = OnPhone & { readonly text: string; readonly address: string; readonly caller: Caller };

/** Stores a text from the person and applies it as a reply; returns the response text. */
export const sendText: Operation<Reply, string> = {
  name: 'send-text',
  async run(tx, now, { userId, text, address, caller }) {
    await tx.insert(insertMessage, {
      userId,
      attemptId: null,
      channel: 'sms',
      address,
      direction: 'from',
      text,
      now,
      state: 'delivered',
    });
    const who = { userId };
    const answered = await takeAnswer.run(tx, now, { channel: 'sms', who, what: { text }, caller });
    return answered.kind === 'repeated' ? '' : answered.said;
  },
};

async function onLine(tx: Tx, userId: number) {
  const row = await tx.one(selectOnLine, { userId });
  if (row === undefined) throw new AppError('already-done', 'The phone is not ringing.');
  return row;
}

async function end(tx: Tx, now: Instant, row: OnLine, outcome: PhoneOutcome): Promise<void> {
  if (row.attempt_id !== null) await endIn(tx, now, row.attempt_id);
  await tx.run(setEnded, { id: row.id, now, outcome });
  await appendPhoneEvent(tx, now, row.user_id, 'ended', { attemptId: row.attempt_id, outcome });
}

function appendPhoneEvent(
  tx: Tx,
  now: Instant,
  userId: number,
  kind: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  return appendEvent(tx, now, phoneEvent(userId, kind, data));
}

function phoneEvent(userId: number, kind: string, data: Readonly<Record<string, unknown>>): NewEvent {
  return { kind: `phone.${kind}`, actor: 'system', subjectId: userId, data };
}

function rowOf({ attemptId, userId, channel, address }: CallMessage, now: Instant) {
  return { attemptId, userId, channel, address, direction: 'to', now };
}

type NewMessage = {
  userId: number;
  attemptId: number | null;
  channel: string;
  address: string;
  direction: string;
  text: string;
  state: string;
  now: Instant;
};

const insertMessage = statement<NewMessage, { id: number }>((db, args) =>
  db
    .insertInto('phone_messages')
    .values({
      user_id: args.userId,
      attempt_id: args.attemptId,
      channel: args.channel,
      address: args.address,
      direction: args.direction,
      text: args.text,
      state: args.state,
      outcome: '',
      created_at: args.now,
    })
    .returning('id'),
);

const setAnswered = statement((db, args: { id: number; now: Instant }) =>
  db.updateTable('phone_messages').set({ state: 'answered', answered_at: args.now }).where('id', '=', args.id),
);

const addText = statement((db, args: { id: number; text: string }) =>
  db
    .updateTable('phone_messages')
    .set((eb) => ({ text: sql`${eb.ref('text')} || ${args.text}` }))
    .where('id', '=', args.id),
);

const setEnded = statement((db, args: { id: number; now: Instant; outcome: string }) =>
  db
    .updateTable('phone_messages')
    .set({ state: 'ended', ended_at: args.now, outcome: args.outcome })
    .where('id', '=', args.id),
);
