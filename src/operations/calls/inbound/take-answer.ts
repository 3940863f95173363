// Takes an answer that came in by a reply, a link or a simulated phone: who sent it, what proves it, and what it says. The
// same for all channels.

import type { Caller } from '../../../domain/access/access.ts';
import { alarmIdsOf, announcedItem, kindOfItem } from '../../../domain/calls/announced.ts';
import type { CallAnswer } from '../../../domain/calls/call.ts';
import {
  type InboundOutcome,
  type InboundRefusal,
  mayAnswer,
  mostWrongCodes,
  sayEffect,
  sayRefusal,
  wrongCodeWindowMs,
} from '../../../domain/calls/replies/inbound.ts';
import { codesIn, type OpenText, readKnownReply, readReply } from '../../../domain/calls/replies/text-reply.ts';
import { type AlarmFate, sayFates } from '../../../domain/calls/words/alarm-fate.ts';
import { wordsIn } from '../../../domain/calls/words/catalogue.ts';
import { languageOf } from '../../../domain/calls/words/wording.ts';
import type { Instant, Operation, Tx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { readRecordClock } from '../../system/reference-time.ts';
import { announcedIn, openAnnouncedOf } from '../announced.ts';
import { answerCall } from '../answer.ts';
import { selectAttempt, selectNewestText, selectSentTexts, selectTextByCode } from '../attempts.ts';
import { fatesOfAlarms } from '../messages/announced-now.ts';
import { countRefused, insertInbound, selectInbound } from './inbound-rows.ts';
import { sendersAt } from './senders.ts';

export type InboundAnswer = {
  /** The message that carries the answer; one that came before changes nothing. A page has none: its person waits. */
  readonly message?: { readonly source: string; readonly key: string };
  /** The channel of the attempts that it may answer. */
  readonly channel: string;
  /** A person who is known by other means, or the account that it was sent from. */
  readonly who: { readonly userId: number } | { readonly address: string };
  /** The attempt that a signed token in the message names; without it the code in the text is the proof. */
  readonly attemptId?: number | undefined;
  readonly what: { readonly text: string } | { readonly answer: CallAnswer | 'take' };
  /** Who brought it: a provider, a link, or the person at a simulated phone. */
  readonly caller: Caller;
};

type Meant = { readonly userId: number; readonly attemptId: number; readonly answer: CallAnswer | 'take' };

export const takeAnswer: Operation<InboundAnswer, InboundOutcome> = {
  name: 'take-answer',
  async run(tx, now, input) {
    const { message, caller } = input;
    if (message !== undefined && (await tx.one(selectInbound, message)) !== undefined) return { kind: 'repeated' };
    const senders = 'userId' in input.who ? [input.who.userId] : await sendersAt(tx, input.channel, input.who.address);
    const meaning = await ofPresentPerson(tx, await meaningOf(tx, now, input, senders));
    const meant = await withinLimit(tx, now, input, senders, meaning);
    const isRefused = 'refusal' in meant;
    const userId = isRefused ? senders[0] : meant.userId;
    if (message !== undefined) {
      const outcome = isRefused ? meant.refusal : 'answered';
      const attemptId = isRefused ? (input.attemptId ?? null) : meant.attemptId;
      await tx.run(insertInbound, { ...message, userId: userId ?? null, attemptId, outcome, now });
    }
    const { snapshot, policy } = await readCallConfiguration(tx);
    const language = languageOf(snapshot.people.get(userId ?? 0), policy.wording);
    const words = wordsIn(language);
    if (isRefused) {
      const fates = meant.refusal === 'nothing' ? await takenOfNewest(tx, now, input, senders) : [];
      const said = fates.length > 0 ? sayFates(fates, words) : sayRefusal(meant.refusal, words);
      return { kind: 'refused', ...meant, said, language };
    }
    const effect = await apply(tx, now, meant, caller);
    return { kind: 'answered', taken: effect.taken, said: sayEffect(effect, words), language };
  },
};

/**
 * Who has taken the alarms of the newest text, for somebody whose answer names none and takes nothing. Empty if one of them is open,
 * and if nobody has.
 */
async function takenOfNewest(
  tx: Tx,
  now: Instant,
  { channel, what }: InboundAnswer,
  senders: readonly number[],
): Promise<readonly AlarmFate[]> {
  if (!('text' in what) || codesIn(what.text).length > 0) return [];
  const since = (await readRecordClock(tx)).windowStart(now, lateMs);
  for (const userId of senders) {
    const row = await tx.one(selectNewestText, { userId, channel, since });
    const isOpen = row !== undefined && (await openAnnouncedOf(tx, [row])).get(row)?.known.length !== 0;
    const alarmIds = row === undefined || isOpen ? [] : alarmIdsOf(announcedIn(row).items);
    const taken = (await fatesOfAlarms(tx, now, userId, alarmIds)).filter(({ kind }) => kind !== 'over');
    if (taken.length > 0) return taken;
  }
  return [];
}

async function apply(tx: Tx, now: Instant, { attemptId, answer }: Meant, caller: Caller) {
  const row = await tx.one(selectAttempt, { id: attemptId });
  const { items } = announcedIn(row ?? { announced: null, announced_causes: null });
  const isTest = items.length > 0 && items.every((item) => kindOfItem(item) === 'test');
  const { taken, fates, others, isCalledBack } = await answerCall.run(tx, now, { attemptId, answer, caller });
  return { answer, taken, fates, others, isCalledBack, hasAlarms: alarmIdsOf(items).length > 0, isTest };
}

type Meaning = Meant | { readonly refusal: InboundRefusal };

/** A sender whose messages are refused again and again may be a program, and gets no further responses. */
async function withinLimit(
  tx: Tx,
  now: Instant,
  { message }: InboundAnswer,
  senders: readonly number[],
  meaning: Meaning,
): Promise<Meaning> {
  if (message === undefined || !('refusal' in meaning) || meaning.refusal === 'sender' || meaning.refusal === 'former')
    return meaning;
  const [userId] = senders;
  const refused = userId === undefined ? 0 : await wrongCodesOf(tx, now, userId);
  return refused >= mostWrongCodes ? { refusal: 'too-many' } : meaning;
}

async function ofPresentPerson(tx: Tx, meaning: Meaning): Promise<Meaning> {
  if ('refusal' in meaning) return meaning;
  const row = await tx.one(selectAttempt, { id: meaning.attemptId });
  const { snapshot } = await readCallConfiguration(tx);
  const isPresent = row !== undefined && mayAnswer(snapshot.people.get(row.user_id), row);
  return isPresent ? meaning : { refusal: 'former' };
}

function meaningOf(
  tx: Tx,
  now: Instant,
  { attemptId, channel, who, what }: InboundAnswer,
  senders: readonly number[],
): Promise<Meaning> {
  if (attemptId !== undefined) return knownMeaning(tx, attemptId, who, what, senders);
  const isProven = 'userId' in who;
  return codedMeaning(tx, now, channel, 'text' in what ? what.text : '', senders, isProven);
}

/** The attempt is known by a token. The sender must be the person, or the address that the message was sent to. */
async function knownMeaning(
  tx: Tx,
  attemptId: number,
  who: InboundAnswer['who'],
  what: InboundAnswer['what'],
  senders: readonly number[],
): Promise<Meaning> {
  const row = await tx.one(selectAttempt, { id: attemptId });
  if (row === undefined) return { refusal: 'nothing' };
  const isAddressee = 'address' in who && who.address.toLowerCase() === row.address.toLowerCase();
  if (!isAddressee && !senders.includes(row.user_id)) return { refusal: 'sender' };
  const answer = 'answer' in what ? what.answer : readKnownReply(what.text, row.reply_code);
  return answer === undefined ? { refusal: 'how' } : { userId: row.user_id, attemptId, answer };
}

/**
 * The code in the text is the proof. A person who is known by other means needs none if one item is open; an address can be
 * forged, so that a reply without a code does nothing, and only a few codes can be tried.
 */
async function codedMeaning(
  tx: Tx,
  now: Instant,
  channel: string,
  text: string,
  senders: readonly number[],
  isProven: boolean,
): Promise<Meaning> {
  if (senders.length === 0) return { refusal: 'sender' };
  let refusal: InboundRefusal = 'nothing';
  for (const userId of senders) {
    if (!isProven && (await wrongCodesOf(tx, now, userId)) >= mostWrongCodes) return { refusal: 'too-many' };
    const reply = await readOf(tx, now, { userId, channel }, text);
    if (!('problem' in reply)) {
      if (isProven || codesIn(text).length > 0) return { userId, ...reply };
      refusal = 'which';
    } else if (reply.problem !== 'nothing') refusal = reply.problem;
  }
  return { refusal };
}

/** How many wrong codes came for the person within the last hour, whatever carried them. */
export async function wrongCodesOf(tx: Tx, now: Instant, userId: number): Promise<number> {
  const since = (await readRecordClock(tx)).windowStart(now, wrongCodeWindowMs);
  return Number((await tx.one(countRefused, { userId, since }))?.count ?? 0);
}

/** As long as the link of a mail. A code comes again in time, and an old text is no reason to read years of history. */
const lateMs = 7 * 86_400_000;

type Reader = { readonly userId: number; readonly channel: string };

/** Reads a reply among the texts that a person may answer, those of ended calls last: a late one is told what became of it. */
async function readOf(tx: Tx, now: Instant, reader: Reader, text: string) {
  const announced = await openAnnouncedOf(tx, await tx.all(selectSentTexts, reader));
  const open: OpenText[] = [...announced].flatMap(([row, { known }]) =>
    known.length === 0 ? [] : [{ attemptId: row.id, replyCode: row.reply_code, items: known.map(announcedItem) }],
  );
  const reply = readReply(text, open);
  if (!('problem' in reply)) return reply;
  const since = (await readRecordClock(tx)).windowStart(now, lateMs);
  const row = await tx.one(selectTextByCode, { ...reader, codes: JSON.stringify(codesIn(text)), since });
  const late = row && readReply(text, [{ attemptId: row.id, replyCode: row.reply_code, items: [] }]);
  return late === undefined || 'problem' in late ? reply : late;
}
