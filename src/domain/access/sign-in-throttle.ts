// Delay after failed sign-ins, growing per account and address up to a limit. Pure.

/** The failures recorded for one account from one address, or for one address alone. */
export type Attempts = { readonly failures: number; readonly lastAt: number };

/** Failures are forgotten after this time without another failure. */
export const forgetAfterMs = 15 * 60_000;

const longestDelayMs = 5 * 60_000;

/** This many failures are free; then the delay is one second, two, four, … up to five minutes. */
const freeFailures = { accountAndAddress: 5, address: 50 } as const;

export type ThrottleKind = keyof typeof freeFailures;

/** Returns the milliseconds until the next attempt is accepted; 0 means now. */
export function delayOf(kind: ThrottleKind, attempts: Attempts | undefined, now: number): number {
  if (attempts === undefined || now - attempts.lastAt >= forgetAfterMs) return 0;
  const beyond = attempts.failures - freeFailures[kind];
  if (beyond < 0) return 0;
  const delay = Math.min(1_000 * 2 ** Math.min(beyond, 20), longestDelayMs);
  return Math.max(0, attempts.lastAt + delay - now);
}

export function afterFailure(attempts: Attempts | undefined, now: number): Attempts {
  const isFresh = attempts === undefined || now - attempts.lastAt >= forgetAfterMs;
  return { failures: isFresh ? 1 : attempts.failures + 1, lastAt: now };
}
