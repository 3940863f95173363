// How long to wait after failed sign-ins: growing, per account and address, never for ever. Pure.

/** What is remembered of one account from one address, or of one address alone. */
export type Attempts = { readonly failures: number; readonly lastAt: number };

/** After this much quiet the past is forgotten. */
export const forgetAfterMs = 15 * 60_000;

const longestDelayMs = 5 * 60_000;

/** The first mistakes are free; then one second, two, four, … up to five minutes. */
const freeMistakes = { accountAndAddress: 5, address: 50 } as const;

export type ThrottleKind = keyof typeof freeMistakes;

/** Milliseconds until the next attempt is looked at; 0 when it is now. */
export function delayOf(kind: ThrottleKind, attempts: Attempts | undefined, now: number): number {
  if (attempts === undefined || now - attempts.lastAt >= forgetAfterMs) return 0;
  const beyond = attempts.failures - freeMistakes[kind];
  if (beyond < 0) return 0;
  const delay = Math.min(1_000 * 2 ** Math.min(beyond, 20), longestDelayMs);
  return Math.max(0, attempts.lastAt + delay - now);
}

export function afterFailure(attempts: Attempts | undefined, now: number): Attempts {
  const isFresh = attempts === undefined || now - attempts.lastAt >= forgetAfterMs;
  return { failures: isFresh ? 1 : attempts.failures + 1, lastAt: now };
}
