// Decides whether the password of a sign-in may be checked now, or how long the sign-in waits and why. Pure.

type Instant = number;

/** A guess counts for this time. A guess is a sign-in that failed, or one whose password is being checked. */
export const guessWindowMs = 15 * 60_000;

/** An address stays known to an account for this time after the last successful sign-in from it. */
export const knownAddressMs = 30 * 86_400_000;

/** The known addresses of one user; the ones used longest ago are forgotten first. */
export const maxKnownAddresses = 50;

/**
 * The browsers of one user that are known by their mark, as addresses are: a mark is a random token that a browser gets with a
 * successful sign-in, and stays known for as long.
 */
export const maxKnownDevices = 20;

/**
 * Guesses within the window that addresses new to the account share: at one account, from one address at any accounts,
 * and on the whole server.
 */
export const newAddressBudgets = { account: 20, address: 50, server: 3_000 } as const;

export type Budget = keyof typeof newAddressBudgets;

/** This many guesses at an account from one address are free; then the delay is one second, two, four, … */
const freeGuesses = 5;
const longestDelayMs = 5 * 60_000;

export type CountedGuesses = {
  /** The guesses at this account from this address, or from this browser if its mark is known to the account. */
  readonly own: { readonly count: number; readonly lastAt: Instant | undefined };
  /**
   * Undefined for a known address or browser. For a new one, the time of the oldest guess that uses up each budget: of the twentieth
   * newest for a budget of twenty; undefined while there are fewer.
   */
  readonly budgetUsedBy: Readonly<Record<Budget, Instant | undefined>> | undefined;
};

export type WaitReason = 'own-guesses' | `${Budget}-budget`;

export type ThrottleDecision =
  | { readonly kind: 'check' }
  | { readonly kind: 'wait'; readonly reason: WaitReason; readonly ms: number };

/**
 * Returns the times within which guesses count. Those from far in the future were recorded before the clock was set back
 * and must not lock anybody out until that time comes again.
 */
export function countedSpan(now: Instant): { readonly after: Instant; readonly upTo: Instant } {
  return { after: now - guessWindowMs, upTo: now + guessWindowMs };
}

/** Decides on one sign-in; of several reasons to wait it names the one that lasts longest. */
export function decideSignIn({ own, budgetUsedBy }: CountedGuesses, now: Instant): ThrottleDecision {
  const waits: (readonly [reason: WaitReason, ms: number])[] = [['own-guesses', delayAfter(own, now)]];
  for (const budget of Object.keys(newAddressBudgets) as Budget[]) {
    const usedBy = budgetUsedBy?.[budget];
    if (usedBy !== undefined) waits.push([`${budget}-budget`, usedBy + guessWindowMs - now]);
  }
  const [reason, ms] = waits.reduce((longest, wait) => (wait[1] > longest[1] ? wait : longest));
  return ms > 0 ? { kind: 'wait', reason, ms } : { kind: 'check' };
}

function delayAfter({ count, lastAt }: CountedGuesses['own'], now: Instant): number {
  const beyond = count - freeGuesses;
  if (beyond < 0 || lastAt === undefined) return 0;
  return lastAt + Math.min(1_000 * 2 ** Math.min(beyond, 20), longestDelayMs) - now;
}
