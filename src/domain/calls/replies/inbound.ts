// The rules of answers that people send by a reply, a link or a code: reasons of refusals, and the response to the person. Pure.

import type { ContactNumber, Person } from '../../people/person.ts';
import type { CallAnswer } from '../call.ts';
import { type AlarmFate, sayFates, sayOthers } from '../words/alarm-fate.ts';
import type { OthersCalled, Words } from '../words/words.ts';
import { type ReplyProblem, sayProblem } from './text-reply.ts';

/**
 * `sender`: nobody who was called has this address. `too-many`: too many wrong codes came from this person. `former`: the
 * person was removed since, or the number that the message was sent to.
 */
export type InboundRefusal = ReplyProblem | 'sender' | 'too-many' | 'former';

/**
 * Whether the answer to a message still counts: the person is in the directory, and the number is theirs. Who has it now may
 * be somebody else. Numbers are compared by their address, because a person who is saved anew may get new ids.
 */
export function mayAnswer(
  person: Pick<Person, 'numbers'> | undefined,
  sentTo: Pick<ContactNumber, 'channel' | 'address'>,
): boolean {
  const { channel, address } = sentTo;
  const folded = foldAddress(channel, address);
  return (
    person?.numbers.some((number) => number.channel === channel && foldAddress(channel, number.address) === folded) ??
    false
  );
}

/** Mail servers do not tell capitals from small letters; a URL does. */
function foldAddress(channel: string, address: string): string {
  return channel === 'email' ? address.toLowerCase() : address;
}

/** Wrong codes of a person within an hour, after which codes of that person do not count: four digits can be guessed. */
export const mostWrongCodes = 10;
export const wrongCodeWindowMs = 3_600_000;

/** The outcome of an inbound answer; `said` is the response, in the language of the person. */
export type InboundOutcome =
  | {
      readonly kind: 'answered';
      /** The alarms that it took. */
      readonly taken: readonly number[];
      readonly said: string;
      readonly language: string;
    }
  | { readonly kind: 'refused'; readonly refusal: InboundRefusal; readonly said: string; readonly language: string }
  | { readonly kind: 'repeated' };

export type AnswerEffect = {
  readonly answer: CallAnswer | 'take';
  /** The alarms that it took. */
  readonly taken: readonly number[];
  /** What became of the alarms that it came too late for. */
  readonly fates: readonly AlarmFate[];
  readonly others: OthersCalled;
  readonly isCalledBack: boolean;
  /** Whether alarms were announced, or only messages, which cannot be taken. */
  readonly hasAlarms: boolean;
  readonly isTest: boolean;
};

/** Returns the response to a person who has answered in writing or by a page. */
export function sayEffect(effect: AnswerEffect, words: Words): string {
  const { answer, taken, fates, others, isCalledBack, hasAlarms, isTest } = effect;
  if (taken.length > 0) return [words.taken(taken.length), sayOthers(fates, words)].join(' ').trim();
  if (fates.length > 0) return sayFates(fates, words);
  if (isTest) return `${words.thanks} ${words.onlyTest}`;
  if (answer === 'decline') return words.declined(others);
  if (answer === 'later') return isCalledBack ? words.later : words.notLater(others);
  return answer === 'heard' && hasAlarms ? words.heard(others) : words.thanks;
}

export function sayRefusal(refusal: InboundRefusal, words: Words): string {
  if (refusal === 'sender') return words.nothingToAnswer;
  if (refusal === 'former') return words.noLongerYours;
  return refusal === 'too-many' ? words.tooManyCodes : sayProblem(refusal, words);
}
