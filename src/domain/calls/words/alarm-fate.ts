// What became of an alarm that was announced to a person, and how they are told. Pure.

import type { Words } from './words.ts';

export type AlarmFate =
  /** `by` is empty if the person may not know who it was. */
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'taken-by-you' }
  /** Removed, masked or acknowledged by nobody in particular. */
  | { readonly kind: 'over' };

export function sayFate(fate: AlarmFate, words: Words): string {
  if (fate.kind === 'taken') return words.takenBy(fate.by === '' ? words.somebodyElse : fate.by);
  return fate.kind === 'over' ? words.over : words.takenByYou;
}
