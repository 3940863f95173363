// Compares the PIN that a person types on a telephone, off the event loop and before the transaction.

import type { CheckedPin } from '../domain/calls/ring-in/checked-pin.ts';
import { shortestRingInPin } from '../domain/calls/ring-in/sign-in.ts';
import { reserveRingIn } from '../operations/calls/ring-in/guesses.ts';
import { getTypedPin } from '../operations/conversations/converse.ts';
import type { Store } from '../store/store.ts';
import { passwordMatches } from './password.ts';

/** Undefined if the keys do not complete a PIN. Who rings in is refused in the same way and time whatever is wrong. */
export async function compareTypedPin(store: Store, attemptId: number, keys: string): Promise<CheckedPin | undefined> {
  const typed = keys.includes('#') ? await store.read(getTypedPin, { attemptId, keys }) : undefined;
  if (typed === undefined) return undefined;
  const { digits, pinHash, ringIn } = typed;
  if (ringIn === undefined) return { digits, isRight: await passwordMatches(digits, pinHash) };
  const mayGuess = await store.write(reserveRingIn, ringIn);
  const isSame = await passwordMatches(digits, pinHash);
  const isRight = mayGuess && isSame && digits.length >= shortestRingInPin;
  return { digits, userNumber: ringIn.userNumber, isRight };
}
