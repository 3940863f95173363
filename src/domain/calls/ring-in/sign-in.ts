// Signing in by telephone: a person who rings in enters their number and PIN before they hear anything. Pure.

/** A shorter PIN is guessed too easily by somebody who only knows the number to ring. */
export const shortestRingInPin = 6;
const longestNumber = 10;
const longestPin = 9;
const mostTries = 3;
const mostReminders = 2;

export type SignIn = {
  readonly step: 'user' | 'pin' | 'over';
  /** The digits so far. */
  readonly digits: string;
  readonly userNumber: string;
  readonly tries: number;
  /** How often the person was reminded since the last key. */
  readonly reminders: number;
};

export const newSignIn: SignIn = { step: 'user', digits: '', userNumber: '', tries: 0, reminders: 0 };

/** `isComplete`: number and PIN were entered, and are to be checked. */
export type SignInStep = { readonly signIn: SignIn; readonly isComplete: boolean };

export function pressSignIn(before: SignIn, key: string): SignInStep {
  const signIn = { ...before, reminders: 0 };
  if (signIn.step === 'over') return { signIn, isComplete: false };
  if (key === '*') return { signIn: { ...signIn, digits: '' }, isComplete: false };
  if (key !== '#') return { signIn: withDigit(signIn, key), isComplete: false };
  if (signIn.step === 'pin') return { signIn, isComplete: true };
  return { signIn: { ...signIn, step: 'pin', userNumber: signIn.digits, digits: '' }, isComplete: false };
}

/** The number is asked for again, because it may have been wrong as well: nobody learns which of the two was. */
export function refuseSignIn(signIn: SignIn): SignIn {
  const tries = signIn.tries + 1;
  return { ...newSignIn, tries, step: tries >= mostTries ? 'over' : 'user' };
}

/** Nobody has pressed a key for a while. */
export function remindSignIn(signIn: SignIn): SignIn {
  const reminders = signIn.reminders + 1;
  if (reminders > mostReminders) return { ...signIn, step: 'over' };
  return { ...signIn, digits: '', reminders };
}

function withDigit(signIn: SignIn, key: string): SignIn {
  const most = signIn.step === 'user' ? longestNumber : longestPin;
  return /^\d$/.test(key) && signIn.digits.length < most ? { ...signIn, digits: signIn.digits + key } : signIn;
}

/** Guesses within a quarter of an hour: at one person, from one line, and at the whole server. Outbound calls know nothing of them. */
export const ringInLimits = { user: 10, line: 10, server: 100 } as const;

export type RingInGuesses = Readonly<Record<keyof typeof ringInLimits, number>>;

export function mayGuess(counted: RingInGuesses): boolean {
  return (Object.keys(ringInLimits) as (keyof typeof ringInLimits)[]).every((key) => counted[key] < ringInLimits[key]);
}
