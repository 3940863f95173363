// Replies to texts: the instruction in the text, the meaning of a reply, and the response to it. Pure.

import { type AnnouncedItem, isAlarmItem, isSameItem } from './announced.ts';
import type { CallAnswer } from './call.ts';

type TextReply = { readonly answer: CallAnswer | 'take'; readonly attemptId: number };

/** A text that a reply may refer to, with its announced items that are still open. */
export type OpenText = {
  readonly attemptId: number;
  readonly replyCode: string;
  readonly items: readonly AnnouncedItem[];
};

const answers: Readonly<Record<string, CallAnswer | 'take'>> = {
  '1': 'take',
  '2': 'heard',
  '3': 'decline',
  '6': 'later',
};

/**
 * Parses a reply. `4711` or `1 4711` takes the alarms announced with this code; `2`, `3` and `6` mean the same as on
 * the telephone. A reply without a code is accepted only if one item is open. Returns the problem if it is not
 * accepted.
 */
export function readReply(text: string, open: readonly OpenText[]): TextReply | { readonly problem: string } {
  if (open.length === 0) return { problem: 'There is nothing to answer.' };
  const [first = '', second = ''] = text.trim().split(/[\s,.;]+/);
  const coded = open.find(({ replyCode }) => replyCode !== '' && (replyCode === second || replyCode === first));
  const said = coded?.replyCode === first ? second || '1' : first;
  const answer = Object.hasOwn(answers, said) ? answers[said] : undefined;
  if (answer === undefined) return { problem: 'Send 1 to take it, 2 heard, 3 decline, and the code of the message.' };
  const only = coded ?? (second === '' ? textWithOnlyItem(open) : undefined);
  if (only !== undefined) return { answer, attemptId: only.attemptId };
  return { problem: 'Send the code of the message you answer as well.' };
}

/** The newest text that still has an open item, provided that all texts together have only one. */
function textWithOnlyItem(open: readonly OpenText[]): OpenText | undefined {
  const [first, ...others] = open.flatMap(({ items }) => items);
  if (first === undefined || !others.every((other) => isSameItem(first, other))) return undefined;
  return open.find(({ items }) => items.length > 0);
}

/** Returns the instruction that ends a text. A reply takes only the alarms that the text names. */
export function howToReply(code: string, items: readonly AnnouncedItem[], total: number): string {
  const alarms = items.filter(isAlarmItem).length;
  if (alarms === 0) return `Reply ${code} to confirm that you have read it.`;
  if (alarms < total) return `Reply ${code} to take the ${alarms === 1 ? 'alarm' : `${alarms} alarms`} above.`;
  return `Reply ${code} to take ${alarms === 1 ? 'it' : 'them'}.`;
}

/** Returns the response to a reply. */
export function readBack(taken: number, missed: 'taken-already' | 'over' | undefined): string {
  if (missed !== undefined) return missed === 'over' ? 'It is over already.' : 'It was taken already.';
  if (taken === 0) return 'Thank you.';
  return `You have taken ${taken === 1 ? 'it' : `${taken} alarms`}. Thank you.`;
}
