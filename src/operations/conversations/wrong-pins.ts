// Wrong PINs of people who were called, counted over all calls to a number: hanging up does not give back a try.

import { countedSpan } from '../../domain/access/sign-in-throttle.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { selectAttempt } from '../calls/attempts.ts';
import { countByUser, insertGuess, removeGuesses } from '../calls/ring-in/guesses.ts';

/** Apart from the guesses of the console and of people who ring in. */
const network = 'call-pin';

/** Returns how often the PIN was wrong at this number of the person within the last quarter of an hour. */
export async function wrongPinsOf(tx: Tx, now: Instant, attemptId: number): Promise<number> {
  const account = await accountOf(tx, attemptId);
  return (await tx.one(countByUser, { account, network, ...countedSpan(now) }))?.count ?? 0;
}

/** After the right PIN the person may be mistaken three times again. */
export async function notePin(tx: Tx, now: Instant, attemptId: number, isRight: boolean): Promise<void> {
  const account = await accountOf(tx, attemptId);
  if (isRight) await tx.run(removeGuesses, { account, network });
  else await tx.insert(insertGuess, { account, network, ...countedSpan(now), now });
}

async function accountOf(tx: Tx, attemptId: number): Promise<string> {
  const row = await tx.one(selectAttempt, { id: attemptId });
  return `${network}:${row?.user_id ?? 0}:${row?.address ?? ''}`;
}
