// The bounds of a new API key, the same for the command line and the interface. Pure.

import { isTime } from '../time-range.ts';

type NewKey = { readonly name: string; readonly expiresAt: number };
type Mistake = { readonly field: 'name' | 'expiryTime'; readonly message: string };

export const longestKeyName = 256;

/** Returns what is wrong with a key that is to be made at `now`; nothing if it may be made. */
export function keyMistakes({ name, expiresAt }: NewKey, now: number): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  if (name.trim().length === 0 || name.length > longestKeyName)
    mistakes.push({ field: 'name', message: `must have 1 to ${longestKeyName} characters, not only blanks` });
  if (!(expiresAt > now)) mistakes.push({ field: 'expiryTime', message: 'must be a time in the future' });
  else if (!isTime(expiresAt)) mistakes.push({ field: 'expiryTime', message: 'must be before the year 10000' });
  return mistakes;
}
