// The beginning of a conversation with a person who rings in: their number, their PIN, and then what is open for them.

import { announcedItem } from '../../domain/calls/announced.ts';
import { mostAnnounced } from '../../domain/calls/message-text.ts';
import { type CheckedPin, isRightPin } from '../../domain/calls/ring-in/checked-pin.ts';
import { newSignIn, pressSignIn, refuseSignIn, remindSignIn, type SignIn } from '../../domain/calls/ring-in/sign-in.ts';
import { beginSignedIn, type VoiceMenuContext, type VoiceMenuState } from '../../domain/calls/voice-menu.ts';
import { wordsIn } from '../../domain/calls/words/catalogue.ts';
import { languageOf } from '../../domain/calls/words/wording.ts';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import { storedReason } from '../../domain/channels/words/provider-reason.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { searchableText } from '../../domain/search.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { attemptRows } from '../calls/attempts.ts';
import { countByStation } from '../calls/messages/announced-now.ts';
import { composeSpoken } from '../calls/messages/compose-messages.ts';
import { forgetGuesses } from '../calls/ring-in/guesses.ts';
import { type OpenAlarm, openForPerson } from '../calls/ring-in/open-for-person.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { insertConversation, setUser } from './conversation-rows.ts';
import type { RingInLine, StoredMenu } from './menu-steps.ts';

/** A conversation of somebody who has not proved who they are. */
export type SigningIn = StoredMenu & { readonly signIn: SignIn; readonly line: RingInLine };

export function isSigningIn(menu: StoredMenu): menu is SigningIn {
  return menu.signIn !== undefined;
}

/** Begins a conversation; returns the id of its row in the call history, which is written when the person has proved who they are. */
export const beginRingIn: Operation<{ readonly line: RingInLine }, { readonly attemptId: number }> = {
  name: 'begin-ring-in',
  async run(tx, now, { line }) {
    const { policy } = await readCallConfiguration(tx);
    const [attemptId = 0] = await tx.nextIds('call_attempts', 1);
    const context: VoiceMenuContext = {
      language: languageOf(undefined, policy.wording),
      firstName: '',
      siteName: policy.wording.siteName,
      texts: [],
      items: [],
      total: 0,
      hasPin: true,
      rangInBy: line.channel,
    };
    const menu: SigningIn = { context, state: undefined, signIn: newSignIn, line };
    await tx.insert(insertConversation, { attemptId, userId: 0, menu: JSON.stringify(menu), now });
    return { attemptId };
  },
};

/** Returns what somebody who signs in is asked for. */
export function askedFor({ context: { language, siteName }, signIn }: SigningIn): string {
  const words = wordsIn(language);
  if (signIn.step === 'over') return words.goodbye;
  return signIn.step === 'pin' ? words.pin : words.ringIn(siteName || 'Tocsin');
}

export function remindedOf(menu: SigningIn): SigningIn {
  return { ...menu, signIn: remindSignIn(menu.signIn) };
}

type Pressed = { readonly keys: string; readonly checkedPin: CheckedPin | undefined };

/** The menu that follows, and what is said; after the PIN the other keys do not count. */
type SignInResult = {
  readonly next: SigningIn | { readonly context: VoiceMenuContext; readonly state: VoiceMenuState };
  readonly said: readonly string[];
};

export async function pressToSignIn(
  tx: Tx,
  now: Instant,
  row: { readonly id: number; readonly attempt_id: number | null },
  menu: SigningIn,
  { keys, checkedPin }: Pressed,
): Promise<SignInResult> {
  let { signIn } = menu;
  for (const key of keys) {
    const step = pressSignIn(signIn, key);
    if (step.isComplete && isRightPin(checkedPin, step.signIn))
      return signInPerson(tx, now, row, { ...menu, signIn: step.signIn });
    if (step.isComplete) return refuse(tx, now, { ...menu, signIn: step.signIn });
    signIn = step.signIn;
  }
  const next = { ...menu, signIn };
  return { next, said: signIn.step === menu.signIn.step ? [] : [askedFor(next)] };
}

async function refuse(tx: Tx, now: Instant, menu: SigningIn): Promise<SignInResult> {
  const { userNumber } = menu.signIn;
  const { address, channel } = menu.line;
  await appendAudit(tx, now, {
    kind: 'call.ring-in-refused',
    origin: { actor: 'unknown', address },
    stationId: undefined,
    after: { userNumber, channel },
  });
  const next = { ...menu, signIn: refuseSignIn(menu.signIn) };
  return { next, said: [wordsIn(menu.context.language).ringInRefused, askedFor(next)] };
}

async function signInPerson(
  tx: Tx,
  now: Instant,
  row: { readonly id: number; readonly attempt_id: number | null },
  { signIn: { userNumber }, line, context: before }: SigningIn,
): Promise<SignInResult> {
  const userId = Number(userNumber);
  const { snapshot, policy } = await readCallConfiguration(tx);
  const person = snapshot.people.get(userId);
  const open = await openForPerson(tx, userId, snapshot, policy);
  const named = open.slice(0, mostAnnounced);
  const spoken = await composeSpoken(tx, userId, named);
  const context: VoiceMenuContext = {
    ...before,
    language: languageOf(person, policy.wording),
    firstName: person?.firstName ?? '',
    texts: named.map((_, index) => spoken[index]?.text ?? ''),
    recordings: named.map((_, index) => spoken[index]?.recording ?? null),
    items: named.map(announcedItem),
    total: open.length,
    stations: open.length > 1 ? await countByStation(tx, open) : [],
  };
  await insertAttempt(tx, now, row.attempt_id ?? 0, { userId, userName: person?.name ?? '', line, named });
  await tx.run(setUser, { id: row.id, userId });
  await forgetGuesses(tx, { userNumber, line: line.address });
  const { state, say } = beginSignedIn(context);
  return { next: { context, state }, said: [say] };
}

type RangIn = {
  readonly userId: number;
  readonly userName: string;
  readonly line: RingInLine;
  readonly named: readonly OpenAlarm[];
};

/** Writes the row of the call history, and the entry of the audit trail. */
async function insertAttempt(
  tx: Tx,
  now: Instant,
  id: number,
  { userId, userName, line, named }: RangIn,
): Promise<void> {
  const [first] = named;
  const stationId = first?.station_id ?? defaultStationId;
  const detail = storedReason({ code: 'rang-in' });
  await tx.each(attemptRows.insert, [
    {
      id,
      call_id: 0,
      kind: 'call',
      user_id: userId,
      user_name: userName,
      group_id: null,
      station_id: stationId,
      cause: 'ringIn',
      alarm_id: first?.alarm_id ?? null,
      priority: first?.priority ?? 0,
      number_id: null,
      channel: line.channel,
      address: line.address,
      attempt: 1,
      state: 'reached',
      reply_code: '',
      provider_id: line.providerId ?? null,
      created_at: now,
      ended_at: null,
      outcome: 'answered',
      tries: '[]',
      // Who rings in uses up nothing of what they may be called.
      is_urgent: 1,
      is_exempt: 0,
      reason: null,
      detail,
      words: searchableText(userName, englishReason(detail)),
      address_words: searchableText(line.address),
    },
  ]);
  await tx.run(noteRangIn, { id, now });
  await appendAudit(tx, now, {
    kind: 'call.rang-in',
    origin: { actor: `user:${userId}`, address: line.address },
    stationId,
    subject: `user:${userId}`,
    after: { attemptId: id, user: userName, channel: line.channel, alarmIds: named.map(({ alarm_id }) => alarm_id) },
  });
}

const noteRangIn = statement((db, args: { id: number; now: Instant }) =>
  db.updateTable('call_attempts').set({ started_at: args.now, answered_at: args.now }).where('id', '=', args.id),
);
