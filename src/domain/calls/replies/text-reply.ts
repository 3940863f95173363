// Replies to texts: the instruction in the text, the meaning of a reply, and the response to it. Pure.

import { type AnnouncedItem, isAlarmItem, isSameItem } from '../announced.ts';
import type { CallAnswer } from '../call.ts';
import type { Words } from '../words/words.ts';

export type TextReply = { readonly answer: CallAnswer | 'take'; readonly attemptId: number };

/** A text that a reply may refer to, with its announced items that are still open. */
export type OpenText = {
  readonly attemptId: number;
  readonly replyCode: string;
  readonly items: readonly AnnouncedItem[];
};

/** Why a reply is not accepted; `nothing` also if it names a text of a call that has ended. */
export type ReplyProblem = 'nothing' | 'how' | 'which';

const [lowestCode, codes] = [1_000, 9_000];

/** Returns the drawn code, or the next one that no open text to the person has: a reply with it must mean one text. */
export function unusedCode(drawn: string, used: ReadonlySet<string>): string {
  if (drawn === '') return drawn;
  for (let step = 0; step < codes; step++) {
    const code = String(lowestCode + ((Number(drawn) - lowestCode + step) % codes));
    if (!used.has(code)) return code;
  }
  return drawn;
}

const answers: Readonly<Record<string, CallAnswer | 'take'>> = {
  '1': 'take',
  '2': 'heard',
  '3': 'decline',
  '6': 'later',
};

/** Words for taking all alarms that a text names, which its code alone does as well. */
const allWords = new Set(['all', 'tout', 'tous', 'toutes', 'alle']);

/** What people write beside an answer, and what changes nothing about it. */
const courtesies = new Set(['ok', 'okay', 'thanks', 'thank', 'you', 'thx', 'please', 'merci', 'danke', 'bitte']);

/** Splits a reply into its words, without the word for all and without courtesies. */
function partsOf(text: string): { readonly parts: readonly string[]; readonly isAll: boolean } {
  const words = text
    .trim()
    .split(/[\s,.;:!]+/)
    .filter((word) => !courtesies.has(word.toLowerCase()));
  const parts = words.filter((word) => !allWords.has(word.toLowerCase()));
  return { parts, isAll: parts.length < words.length };
}

/**
 * Parses a reply. `4711`, `1 4711` or `4711 all` takes the alarms announced with this code; `2`, `3` and `6` mean the same
 * as on the telephone. A reply without a code is accepted only if one item is open. Returns the problem if it is not
 * accepted.
 */
export function readReply(text: string, open: readonly OpenText[]): TextReply | { readonly problem: ReplyProblem } {
  if (open.length === 0) return { problem: 'nothing' };
  const [first = '', second = ''] = partsOf(text).parts;
  const coded = open.find(({ replyCode }) => replyCode !== '' && (replyCode === second || replyCode === first));
  const answer = answerIn(text, coded?.replyCode);
  if (answer === undefined) return { problem: 'how' };
  const only = coded ?? (second === '' ? textWithOnlyItem(open) : undefined);
  return only === undefined ? { problem: 'which' } : { answer, attemptId: only.attemptId };
}

/**
 * Parses a reply whose message is known by other means, such as a token in its address: `1`, the code, or both, and nothing
 * else, because a sentence that begins with a digit may mean anything.
 */
export function readKnownReply(text: string, replyCode: string): CallAnswer | 'take' | undefined {
  const { parts } = partsOf(text);
  const others = parts.filter((part) => part !== '' && part !== replyCode);
  return others.length > 1 ? undefined : answerIn(text, parts.includes(replyCode) ? replyCode : undefined);
}

/** `code` is the reply code that the text has, if any: alone it takes the alarms. */
function answerIn(text: string, code: string | undefined): CallAnswer | 'take' | undefined {
  const { parts, isAll } = partsOf(text);
  const [first = '', second = ''] = parts;
  const said = code !== undefined && code === first ? second || '1' : first;
  const answer = Object.hasOwn(answers, said) ? answers[said] : undefined;
  return isAll && answer !== 'take' ? undefined : answer;
}

/** The newest text that still has an open item, provided that all texts together have only one. */
function textWithOnlyItem(open: readonly OpenText[]): OpenText | undefined {
  const [first, ...others] = open.flatMap(({ items }) => items);
  if (first === undefined || !others.every((other) => isSameItem(first, other))) return undefined;
  return open.find(({ items }) => items.length > 0);
}

/** Returns the digits in a reply that may be the code of a text. */
export function codesIn(text: string): readonly string[] {
  return partsOf(text).parts.filter((part) => /^\d{4,}$/.test(part));
}

/** Returns the instruction that ends a text. A reply takes only the alarms that the text names. */
export function howToReply(code: string, items: readonly AnnouncedItem[], total: number, words: Words): string {
  const alarms = items.filter(isAlarmItem).length;
  return alarms === 0 ? words.replyToConfirm(code) : words.replyToTake(code, alarms, alarms >= total);
}

/** Returns the response to a reply that was not accepted. */
export function sayProblem(problem: ReplyProblem, words: Words): string {
  if (problem === 'nothing') return words.nothingToAnswer;
  return problem === 'how' ? words.howToAnswer : words.sendCode;
}
