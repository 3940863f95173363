// Operations of simulated phones: ring, answer, press keys, hang up, show a text, send a reply. A phone is rows of a
// table.

import { sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import { type AnnouncedItem, announcedItem, kindOfItem } from '../../domain/calls/announced.ts';
import type { CallMessage } from '../../domain/calls/delivery.ts';
import type { PhoneOutcome } from '../../domain/calls/phone-outcome.ts';
import { codesIn, type OpenText, readReply, sayProblem, type TextReply } from '../../domain/calls/text-reply.ts';
import {
  afterPin,
  greet,
  isLockedOut,
  press,
  type VoiceMenuContext,
  type VoiceMenuStep,
} from '../../domain/calls/voice-menu.ts';
import { sayFate } from '../../domain/calls/words/alarm-fate.ts';
import { wordsIn } from '../../domain/calls/words/catalogue.ts';
import { languageOf } from '../../domain/calls/words/wording.ts';
import { AppError } from '../../errors.ts';
import { appendEvent, appendEvents, type NewEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import { type Instant, type Operation, setOperation, type Tx } from '../../store/store.ts';
import { openAnnouncedOf } from '../calls/announced.ts';
import { answerCall } from '../calls/answer.ts';
import { notePickedUp, noteRang, selectOpenTexts, selectTextByCode } from '../calls/attempts.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { applyEffect, contextNow, gatherAll, type OnLine, type StoredMenu, toldNow } from './conversation.ts';
import { phoneRows, selectByAttempt, selectOnLine, selectPin, selectShown } from './phone-rows.ts';

type MessageInput = { readonly message: CallMessage };

/** Makes the phone ring. Idempotent per attempt; returns `busy` if the phone is in use. */
export const ringPhone: Operation<MessageInput, 'ringing' | 'busy'> = {
  name: 'ring-phone',
  async run(tx, now, { message }) {
    const { attemptId, userId } = message;
    if ((await tx.one(selectByAttempt, { attemptId })) !== undefined) return 'ringing';
    if ((await tx.one(selectOnLine, { userId })) !== undefined) return 'busy';
    const { firstName, language, siteName, opening, text, texts, items, total, stations } = message;
    const hasPin = (await tx.one(selectPin, { userId }))?.pin_hash != null;
    const context: VoiceMenuContext = {
      firstName,
      language,
      siteName,
      opening,
      texts,
      items,
      total,
      stations,
      hasPin,
    };
    await tx.insert(insertMessage, {
      ...rowOf(message, now),
      text,
      state: 'ringing',
      script: JSON.stringify({ context, state: undefined }),
    });
    await tx.run(noteRang, { id: attemptId, now });
    await appendPhoneEvent(tx, now, userId, 'ringing', { attemptId, text, address: message.address });
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
      script: '',
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
/** The text the phone reads out, and whether the telephone call has ended. */
export type Said = { readonly said: string; readonly isOver: boolean };

export const answerPhone: Operation<OnPhone, Said> = {
  name: 'answer-phone',
  async run(tx, now, { userId }) {
    const row = await onLine(tx, userId);
    if (row.state !== 'ringing') throw new AppError('already-done', 'The call is answered already.');
    const context = await contextNow(tx, row, JSON.parse(row.script) as StoredMenu);
    const { state, say } = greet(context);
    if (row.attempt_id !== null) await tx.run(notePickedUp, { id: row.attempt_id, now });
    await tx.run(setAnswered, { id: row.id, now, script: JSON.stringify({ context, state }) });
    await appendPhoneEvent(tx, now, userId, 'answered', { attemptId: row.attempt_id, text: say });
    return { said: say, isOver: false };
  },
};

type Keys = OnPhone & {
  readonly keys: string;
  readonly caller: Caller;
  /** Whether the digits before `#` equal the person's PIN; undefined if the keys do not complete a PIN. */
  readonly isPinRight: boolean | undefined;
};

export const pressKeys: Operation<Keys, Said> = {
  name: 'press-keys',
  async run(tx, now, { userId, keys, caller, isPinRight }) {
    const row = await onLine(tx, userId);
    const script = JSON.parse(row.script) as StoredMenu;
    if (row.state !== 'answered' || script.state === undefined)
      throw new AppError('unprocessable', 'The call is not answered yet.');
    const { context } = script;
    // Somebody may have taken the alarm a moment ago: the keys were meant for it, not for the one that is read next.
    const told = await toldNow(tx, now, row, context, script.state);
    let step: VoiceMenuStep = told ?? { state: script.state, say: '' };
    const said = [step.say, step.next ?? ''];
    for (const key of told === undefined || told.say === '' ? keys : '') {
      step = press(step.state, key, context);
      const isReadBack = step.effect === 'gather-all';
      if (step.effect === 'check-pin') step = afterPin(step.state, isPinRight === true, context);
      else if (isReadBack) step = await gatherAll(tx, row, step.state, context);
      else if (step.effect !== undefined) step = await applyEffect(tx, now, { row, step, context, caller });
      said.push(step.say, step.next ?? '');
      // Digits during the read-back do not count.
      if (isReadBack) break;
    }
    const isOver = step.state.step === 'over';
    await tx.run(setScript, { id: row.id, script: JSON.stringify({ context, state: step.state }) });
    if (isOver) await end(tx, now, row, isLockedOut(step.state) ? 'wrong-pin' : 'answered');
    return { said: said.filter((text) => text !== '').join('\n'), isOver };
  },
};

/** Tells a person in a conversation that somebody else has taken an alarm; the call ends if nothing is left. */
export const tellPhone: Operation<{ readonly attemptId: number }, void> = {
  name: 'tell-phone',
  async run(tx, now, { attemptId }) {
    const row = await tx.one(selectByAttempt, { attemptId });
    if (row?.state !== 'answered') return;
    const { context, state } = JSON.parse(row.script) as StoredMenu;
    const step = state && (await toldNow(tx, now, row, context, state));
    if (step === undefined) return;
    const text = [step.say, step.next ?? ''].filter((part) => part !== '').join('\n');
    await tx.run(setScript, { id: row.id, script: JSON.stringify({ context, state: step.state }) });
    if (text !== '') {
      await tx.run(addText, { id: row.id, text: `\n${text}` });
      await appendPhoneEvent(tx, now, row.user_id, 'said', { attemptId, text });
    }
    if (step.state.step === 'over') await end(tx, now, row, 'answered');
  },
};

/** Returns the digits of a PIN that the keys complete, so that the caller can compare them outside the transaction. */
export function pinDigits(script: string, keys: string): string | undefined {
  const { context, state } = JSON.parse(script) as StoredMenu;
  let step: VoiceMenuStep | undefined = state && { state, say: '' };
  for (const key of keys) {
    step = step && press(step.state, key, context);
    if (step?.effect === 'check-pin') return step.state.digits;
  }
  return undefined;
}

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
      script: '',
    });
    const { snapshot, policy } = await readCallConfiguration(tx);
    const words = wordsIn(languageOf(snapshot.people.get(userId), policy.wording));
    const announced = await openAnnouncedOf(tx, await tx.all(selectOpenTexts, { userId }));
    const open: OpenText[] = [...announced].map(([row, { known }]) => ({
      attemptId: row.id,
      replyCode: row.reply_code,
      items: known.map(announcedItem),
    }));
    const reply = readReply(text, open);
    const accepted = 'problem' in reply ? await lateReply(tx, userId, text) : reply;
    if (accepted === undefined) return sayProblem('problem' in reply ? reply.problem : 'nothing', words);
    const { taken, fates } = await answerCall.run(tx, now, { ...accepted, caller });
    if (taken.length > 0) return words.taken(taken.length);
    if (fates.length > 0) return [...new Set(fates.map((fate) => sayFate(fate, words)))].join(' ');
    const isTest = open.find(({ attemptId }) => attemptId === accepted.attemptId)?.items.every(isTestItem) ?? false;
    return isTest ? `${words.thanks} ${words.onlyTest}` : words.thanks;
  },
};

function isTestItem(item: AnnouncedItem): boolean {
  return kindOfItem(item) === 'test';
}

/** Finds the text that a reply names although its call has ended, so that the person is told what became of the alarm. */
async function lateReply(tx: Tx, userId: number, text: string): Promise<TextReply | undefined> {
  const codes = codesIn(text);
  const row = await tx.one(selectTextByCode, { userId, codes: JSON.stringify(codes) });
  if (row === undefined) return undefined;
  const reply = readReply(text, [{ attemptId: row.id, replyCode: row.reply_code, items: [] }]);
  return 'problem' in reply ? undefined : reply;
}

async function onLine(tx: Tx, userId: number) {
  const row = await tx.one(selectOnLine, { userId });
  if (row === undefined) throw new AppError('already-done', 'The phone is not ringing.');
  return row;
}

async function end(tx: Tx, now: Instant, row: OnLine, outcome: PhoneOutcome): Promise<void> {
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
  script: string;
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
      script: args.script,
      outcome: '',
      created_at: args.now,
    })
    .returning('id'),
);

const setAnswered = statement((db, args: { id: number; now: Instant; script: string }) =>
  db
    .updateTable('phone_messages')
    .set({ state: 'answered', answered_at: args.now, script: args.script })
    .where('id', '=', args.id),
);

const setScript = statement((db, args: { id: number; script: string }) =>
  db.updateTable('phone_messages').set({ script: args.script }).where('id', '=', args.id),
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
