// Limits concurrent password hashing, so that a flood of sign-ins exhausts neither memory nor processor; sign-ins from
// known addresses go first.

import { AppError } from '../errors.ts';

/** `stranger` is a sign-in from an address that the account has not signed in from. */
export type HashingPriority = 'known' | 'stranger';

const maxConcurrent = 2;
/** A known address has one sign-in per account in the queue (see sign-in.ts), so only very many users could fill it. */
const maxWaiting = { known: 1_000, stranger: 200 } as const;

let running = 0;
const waiting: Record<HashingPriority, (() => void)[]> = { known: [], stranger: [] };

/** Runs `work` when one of the two slots is free; throws when too many wait already. */
export async function inHashingTurn<T>(priority: HashingPriority, work: () => Promise<T>): Promise<T> {
  if (running < maxConcurrent) running++;
  else {
    if (waiting[priority].length >= maxWaiting[priority]) throw tooManySignIns();
    await new Promise<void>((resolve) => waiting[priority].push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next === undefined) running--;
    else next();
  }
}

export function tooManySignIns(): AppError {
  return new AppError('unavailable', 'Too many sign-ins at once. Try again shortly.', { retryAfterSeconds: 5 });
}
