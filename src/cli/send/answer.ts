// What the answer of the server means for a report that was posted, and the exit code that says so. Pure.

import { exitCodes } from '../../errors.ts';

/**
 * `taken`: the server has it. `refused`: it will never be taken as it is. `waits`: it is sent again later, and so is what was
 * reported of the same path after it. `unreachable`: so is everything.
 */
export type Meaning = 'taken' | 'refused' | 'waits' | 'unreachable';

/** What a repetition does not help: the body, the key, its scopes, the size. */
const refusals: readonly number[] = [400, 401, 403, 413];
/** What a server or a proxy answers while it takes nothing from anybody, or from this key. */
const pauses: readonly number[] = [408, 429, 502, 503, 504];

/** Returns the meaning of a status; undefined is no answer. */
export function meaningOf(status: number | undefined): Meaning {
  if (status === undefined || pauses.includes(status)) return 'unreachable';
  if (status >= 200 && status < 300) return 'taken';
  return refusals.includes(status) ? 'refused' : 'waits';
}

export function exitCodeOf(meaning: Meaning): number {
  if (meaning === 'taken') return 0;
  return meaning === 'refused' ? 1 : exitCodes['not-sent'];
}

/** Returns the exit code after a report was posted that could not be kept. */
export function exitCodeUnkept(meaning: Meaning): number {
  return meaning === 'refused' ? 1 : exitCodes['cannot-write'];
}
