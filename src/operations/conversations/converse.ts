// The conversation of a telephone call on any channel: it begins with the delivery, and answering, keys, silence and news
// advance it.

import type { Caller } from '../../domain/access/access.ts';
import type { CallMessage } from '../../domain/calls/delivery.ts';
import { type CheckedPin, isRightPin } from '../../domain/calls/ring-in/checked-pin.ts';
import { pressSignIn } from '../../domain/calls/ring-in/sign-in.ts';
import {
  afterPin,
  greet,
  isBeforeReading,
  isLockedOut,
  press,
  remind,
  type VoiceMenuContext,
  type VoiceMenuState,
  type VoiceMenuStep,
} from '../../domain/calls/voice-menu.ts';
import { wordsIn } from '../../domain/calls/words/catalogue.ts';
import { partsOf, type SaidPart, writtenOf } from '../../domain/calls/words/recorded-text.ts';
import type { TryFor } from '../../domain/escalation/escalation.ts';
import { AppError } from '../../errors.ts';
import type { Instant, Operation, Query, ReadTx, Tx } from '../../store/store.ts';
import { notePickedUp } from '../calls/attempts.ts';
import { noteAnnounced } from '../calls/messages/announced-now.ts';
import { endRingIn, insertConversation, selectByAttempt, selectPin, setEnded, setMenu } from './conversation-rows.ts';
import { applyEffect, contextNow, gatherAll, isFormer, type OnLine, type StoredMenu, toldNow } from './menu-steps.ts';
import { askedFor, isSigningIn, pressToSignIn, remindedOf, type SigningIn } from './sign-in.ts';
import { notePin, wrongPinsOf } from './wrong-pins.ts';

/** The sentences that the person hears, and whether the conversation has ended. */
export type Said = {
  readonly text: string;
  /** The same for a channel that speaks and plays recordings. */
  readonly parts: readonly SaidPart[];
  readonly language: string;
  readonly isOver: boolean;
  /** Whether it ended because the PIN was wrong too often. */
  readonly isLockedOut: boolean;
  /** Whether keys that are pressed before its end do not count: a read-back is heard before it is confirmed. */
  readonly ignoresKeys: boolean;
  /** Whether the person has just proved to be the right one: the key that did it may bounce, and takes no alarm then. */
  readonly followsProof: boolean;
};

type OfAttempt = { readonly attemptId: number };

/**
 * How a conversation ended: whether the person had proved to be human, whether they were read anything, and whether the PIN was wrong
 * too often.
 */
type ConversationEnd = { readonly isHuman: boolean; readonly hasHeard: boolean; readonly isLockedOut: boolean };

const notBegun: ConversationEnd = { isHuman: false, hasHeard: false, isLockedOut: false };

/**
 * Stores the conversation of an attempt that begins; once per attempt. Returns how it ended if it is over already: the node
 * that led it was lost before it could store the outcome of the attempt.
 */
export async function beginIn(tx: Tx, now: Instant, message: CallMessage): Promise<ConversationEnd | undefined> {
  const { attemptId, userId, firstName, language, siteName, opening, texts, items, total, stations } = message;
  const row = await tx.one(selectByAttempt, { attemptId });
  if (row !== undefined) return row.ended_at === null ? undefined : endOf(row);
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
  await tx.insert(insertConversation, { attemptId, userId, menu: JSON.stringify({ context }), now });
  return undefined;
}

/** The person has picked up. A conversation that was answered before goes on with the greeting. */
export async function answerIn(tx: Tx, now: Instant, attemptId: number, open?: readonly TryFor[]): Promise<Said> {
  const row = await openConversation(tx, attemptId);
  const menu = menuOf(row);
  if (isSigningIn(menu)) return signingIn(menu, [askedFor(menu)]);
  const context = await contextNow(tx, row, menu.context, open);
  const { state: greeted, say } = greet(context);
  const formerPinTries = context.hasPin ? await wrongPinsOf(tx, now, attemptId) : 0;
  const state = { ...greeted, formerPinTries };
  await tx.run(notePickedUp, { id: attemptId, now });
  await tx.run(setMenu, { id: row.id, menu: JSON.stringify({ context, state }) });
  return saidIn(context, state, [say]);
}

export type Keys = {
  readonly keys: string;
  /** Who presses the keys of a simulated phone; undefined: the person who was called. */
  readonly caller?: Caller;
  /** The PIN that the keys complete, if they do, and whether it is right. */
  readonly checkedPin: CheckedPin | undefined;
  /** What was open for the person just before, unless the call has begun to read (open-for-call.ts). */
  readonly open?: readonly TryFor[] | undefined;
};

export async function pressIn(tx: Tx, now: Instant, attemptId: number, pressed: Keys): Promise<Said> {
  const row = await openConversation(tx, attemptId);
  const { keys, checkedPin, open, caller = { actor: `user:${row.user_id}`, stationIds: [] } } = pressed;
  const menu = menuOf(row);
  if (isSigningIn(menu)) {
    const { next, said } = await pressToSignIn(tx, now, row, menu, pressed);
    if ('signIn' in next) return storeSigningIn(tx, now, row, next, said);
    return { ...(await store(tx, now, row, next.context, next.state, said)), followsProof: true };
  }
  const { context, state } = await menuNow(tx, row, open);
  if (await isFormer(tx, row, context)) {
    const { noLongerYours, goodbye } = wordsIn(context.language);
    return store(tx, now, row, context, { ...state, step: 'over' }, [`${noLongerYours} ${goodbye}`]);
  }
  // Somebody may have taken the alarm a moment ago: the keys were meant for it, not for the one that is read next.
  const told = await toldNow(tx, now, row, context, state);
  let step: VoiceMenuStep = told ?? { state, say: '' };
  let followsProof = false;
  for (const key of told === undefined || told.say === '' ? keys : '') {
    const before = step.state;
    step = press(before, key, context);
    const isReadBack = step.effect === 'gather-all';
    if (step.effect === 'check-pin') {
      const isRight = isRightPin(checkedPin, step.state);
      await notePin(tx, now, attemptId, isRight);
      step = afterPin(step.state, isRight, context);
    } else if (isReadBack) step = await gatherAll(tx, now, row, step.state, context);
    else if (step.effect !== undefined) step = await applyEffect(tx, now, { row, step, context, caller });
    await noteReading(tx, row, context, before, step.state);
    // Digits during the read-back do not count, nor those that came before anything was read.
    followsProof = isBeforeReading(before) && !isBeforeReading(step.state);
    if (isReadBack || followsProof) break;
  }
  // A key interrupts what the key before it led to, so only what the last one leads to is said.
  const said = await store(tx, now, row, context, step.state, [step.say, step.next ?? '']);
  return { ...said, followsProof };
}

/** Once the first text is read the call is for what it announces, and for nothing that joins later. */
async function noteReading(
  tx: Tx,
  { attempt_id }: OnLine,
  { items, causes }: VoiceMenuContext,
  before: VoiceMenuState,
  after: VoiceMenuState,
): Promise<void> {
  const begins = isBeforeReading(before) && (after.read ?? []).length > 0;
  if (begins && attempt_id !== null && causes !== undefined) await noteAnnounced(tx, attempt_id, { items, causes });
}

/** Tells the person what became of alarms in the meantime; undefined if there is nothing to tell. */
export async function tellIn(tx: Tx, now: Instant, attemptId: number): Promise<Said | undefined> {
  const row = await tx.one(selectByAttempt, { attemptId });
  if (row === undefined || row.ended_at !== null) return undefined;
  const { context, state } = menuOf(row);
  const step = state && (await toldNow(tx, now, row, context, state));
  if (step === undefined) return undefined;
  return store(tx, now, row, context, step.state, [step.say, step.next ?? '']);
}

/** Ends the conversation, whoever hung up. */
export async function endIn(tx: Tx, now: Instant, attemptId: number): Promise<void> {
  const row = await tx.one(selectByAttempt, { attemptId });
  if (row !== undefined) await close(tx, now, row);
}

export const beginConversation: Operation<{ readonly message: CallMessage }, ConversationEnd | undefined> = {
  name: 'begin-conversation',
  run: (tx, now, { message }) => beginIn(tx, now, message),
};

export const answerConversation: Operation<OfAttempt & Pick<Keys, 'open'>, Said> = {
  name: 'answer-conversation',
  run: (tx, now, { attemptId, open }) => answerIn(tx, now, attemptId, open),
};

export const pressInConversation: Operation<OfAttempt & Keys, Said> = {
  name: 'press-in-conversation',
  run: (tx, now, { attemptId, ...keys }) => pressIn(tx, now, attemptId, keys),
};

/** Nobody has pressed a key for a while: repeats what is asked, and hangs up after some times. */
export const passSilence: Operation<OfAttempt, Said> = {
  name: 'pass-silence',
  async run(tx, now, { attemptId }) {
    const row = await openConversation(tx, attemptId);
    const menu = menuOf(row);
    if (isSigningIn(menu)) {
      const next = remindedOf(menu);
      return storeSigningIn(tx, now, row, next, [askedFor(next)]);
    }
    const { context, state } = answeredMenu(row);
    const step = remind(state, context);
    return store(tx, now, row, context, step.state, [step.say]);
  },
};

export const tellConversation: Operation<OfAttempt, Said | undefined> = {
  name: 'tell-conversation',
  run: (tx, now, { attemptId }) => tellIn(tx, now, attemptId),
};

export const endConversation: Operation<OfAttempt, ConversationEnd> = {
  name: 'end-conversation',
  async run(tx, now, { attemptId }) {
    const row = await tx.one(selectByAttempt, { attemptId });
    await endIn(tx, now, attemptId);
    return row === undefined ? notBegun : endOf(row);
  },
};

function endOf(row: { readonly menu: string }): ConversationEnd {
  const { state } = menuOf(row);
  if (state === undefined) return notBegun;
  const hasHeard = (state.read ?? []).length > 0;
  return { isHuman: hasPressed(state), hasHeard, isLockedOut: isLockedOut(state) };
}

/** Returns the digits of a PIN that the keys complete and the hash to compare them with, outside of the transaction. */
export const getTypedPin: Query<OfAttempt & { readonly keys: string }, TypedPin | undefined> = {
  name: 'get-typed-pin',
  async run(tx, { attemptId, keys }) {
    const row = await tx.one(selectByAttempt, { attemptId });
    const menu = row && menuOf(row);
    if (row === undefined || menu === undefined) return undefined;
    if (isSigningIn(menu)) return typedToSignIn(tx, menu, keys);
    const digits = typedDigits(menu, keys);
    if (digits === undefined) return undefined;
    const pinHash = (await tx.one(selectPin, { userId: row.user_id }))?.pin_hash;
    return pinHash == null ? undefined : { digits, pinHash };
  },
};

type TypedPin = {
  readonly digits: string;
  /** Undefined if the number of somebody who rings in is that of nobody, or of somebody without a PIN. */
  readonly pinHash: string | undefined;
  /** Of somebody who rings in. */
  readonly ringIn?: { readonly userNumber: string; readonly line: string };
};

async function typedToSignIn(tx: ReadTx, menu: SigningIn, keys: string): Promise<TypedPin | undefined> {
  let { signIn } = menu;
  for (const key of keys) {
    const step = pressSignIn(signIn, key);
    signIn = step.signIn;
    if (!step.isComplete) continue;
    const { userNumber, digits } = signIn;
    const pinHash = (await tx.one(selectPin, { userId: Number(userNumber) }))?.pin_hash ?? undefined;
    return { digits, pinHash, ringIn: { userNumber, line: menu.line.address } };
  }
  return undefined;
}

function typedDigits({ context, state }: StoredMenu, keys: string): string | undefined {
  let step: VoiceMenuStep | undefined = state && { state, say: '' };
  for (const key of keys) {
    step = step && press(step.state, key, context);
    if (step?.effect === 'check-pin') return step.state.digits;
  }
  return undefined;
}

function hasPressed({ step, pinTries, read = [], isHuman }: VoiceMenuState): boolean {
  return isHuman === true || step === 'pin' || step === 'menu' || step === 'all' || pinTries > 0 || read.length > 0;
}

function menuOf({ menu }: { readonly menu: string }): StoredMenu {
  return JSON.parse(menu) as StoredMenu;
}

/** An alarm that joins the call before the person has proved to be human is read with the others. */
async function menuNow(tx: Tx, row: OnLine & { readonly menu: string }, open: Keys['open']) {
  const { context, state } = answeredMenu(row);
  if (!isBeforeReading(state)) return { context, state };
  return { context: await contextNow(tx, row, context, open), state: { ...state, done: [] } };
}

function answeredMenu(row: { readonly menu: string }) {
  const { context, state } = menuOf(row);
  if (state === undefined) throw new AppError('unprocessable', 'The call is not answered yet.');
  return { context, state };
}

async function openConversation(tx: Tx, attemptId: number) {
  const row = await tx.one(selectByAttempt, { attemptId });
  if (row === undefined || row.ended_at !== null)
    throw new AppError('already-done', 'There is no conversation any more.');
  return row;
}

type Conversation = { readonly id: number; readonly attempt_id: number | null };

async function store(
  tx: Tx,
  now: Instant,
  row: Conversation,
  context: VoiceMenuContext,
  state: VoiceMenuState,
  said: readonly string[],
): Promise<Said> {
  await tx.run(setMenu, { id: row.id, menu: JSON.stringify({ context, state }) });
  if (state.step === 'over') await close(tx, now, row);
  return saidIn(context, state, said);
}

async function storeSigningIn(
  tx: Tx,
  now: Instant,
  row: Conversation,
  menu: SigningIn,
  said: readonly string[],
): Promise<Said> {
  await tx.run(setMenu, { id: row.id, menu: JSON.stringify(menu) });
  if (menu.signIn.step === 'over') await close(tx, now, row);
  return signingIn(menu, said);
}

async function close(tx: Tx, now: Instant, { id, attempt_id }: Conversation): Promise<void> {
  await tx.run(setEnded, { id, now });
  if (attempt_id !== null) await tx.run(endRingIn, { attemptId: attempt_id, now });
}

function signingIn({ context: { language }, signIn }: SigningIn, said: readonly string[]): Said {
  const text = said.join('\n');
  const parts = text === '' ? [] : [{ text }];
  const keys = { ignoresKeys: false, followsProof: false };
  return { text, parts, language, isOver: signIn.step === 'over', isLockedOut: false, ...keys };
}

function saidIn(
  { language, recordings = [] }: VoiceMenuContext,
  state: VoiceMenuState,
  sentences: readonly string[],
): Said {
  const said = sentences.filter((part) => part !== '').join('\n');
  return {
    text: writtenOf(said, wordsIn(language)),
    parts: partsOf(said, recordings),
    language,
    isOver: state.step === 'over',
    isLockedOut: isLockedOut(state),
    ignoresKeys: state.step === 'all',
    followsProof: false,
  };
}
