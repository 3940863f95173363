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

/** What became of all alarms of an answer that came too late. */
export function sayFates(fates: readonly AlarmFate[], words: Words): string {
  return [...new Set(fates.map((fate) => sayFate(fate, words)))].join(' ');
}

/** What became of the other alarms, for somebody who takes some; what they took themselves they know. */
export function sayOthers(fates: readonly AlarmFate[], words: Words): string {
  const takers = fates.flatMap((fate) => (fate.kind === 'taken' ? [fate.by] : []));
  const taken = [...Map.groupBy(takers, (by) => by)].map(([by, { length }]) =>
    words.othersTakenBy(by === '' ? words.somebodyElse : by, length),
  );
  const over = fates.filter(({ kind }) => kind === 'over').length;
  return [...taken, ...(over > 0 ? [words.othersOver(over)] : [])].join(' ');
}
