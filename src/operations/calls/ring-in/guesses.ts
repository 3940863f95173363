// Counts the guesses of people who ring in, apart from those of the console and from wrong PINs of calls that Tocsin made.

import { countedSpan } from '../../../domain/access/sign-in-throttle.ts';
import { mayGuess } from '../../../domain/calls/ring-in/sign-in.ts';
import { statement } from '../../../store/statement.ts';
import type { Operation, Tx } from '../../../store/store.ts';

type Guess = { readonly userNumber: string; readonly line: string };

/**
 * Counts a guess before its PIN is compared, so that guesses sent at once cannot all pass; returns whether it may be
 * compared. Rows of ring-in have keys of their own and are no new addresses, so that they use up no budget of the console.
 */
export const reserveRingIn: Operation<Guess, boolean> = {
  name: 'reserve-ring-in',
  async run(tx, now, { userNumber, line }) {
    const keys = { account: accountOf(userNumber), network: networkOf(line), ...countedSpan(now) };
    const counted = {
      user: (await tx.one(countByUser, keys))?.count ?? 0,
      line: (await tx.one(countByLine, keys))?.count ?? 0,
      server: (await tx.one(countAll, keys))?.count ?? 0,
    };
    if (!mayGuess(counted)) return false;
    await tx.insert(insertGuess, { ...keys, now });
    return true;
  },
};

/** Forgets the guesses of a person who has entered the right PIN from this line. */
export async function forgetGuesses(tx: Tx, { userNumber, line }: Guess): Promise<void> {
  await tx.run(removeGuesses, { account: accountOf(userNumber), network: networkOf(line) });
}

const prefix = 'ring-in:';

function accountOf(userNumber: string): string {
  return `${prefix}${Number(userNumber)}`;
}

function networkOf(line: string): string {
  return `${prefix}${line}`;
}

type Keys = { account: string; network: string; after: number; upTo: number };

export const countByUser = counting('account');
const countByLine = counting('network');

function counting(column: 'account' | 'network') {
  return statement((db, args: Keys) =>
    db
      .selectFrom('sign_in_guesses')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(column, '=', args[column])
      .where('at', '>', args.after)
      .where('at', '<=', args.upTo),
  );
}

const countAll = statement((db, args: Keys) =>
  db
    .selectFrom('sign_in_guesses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('at', '>', args.after)
    .where('at', '<=', args.upTo)
    .where('account', 'like', `${prefix}%`),
);

export const insertGuess = statement<Keys & { now: number }, { id: number }>((db, args) =>
  db
    .insertInto('sign_in_guesses')
    .values({ account: args.account, network: args.network, at: args.now, is_new_address: 0 })
    .returning('id'),
);

export const removeGuesses = statement<{ account: string; network: string }>((db, args) =>
  db.deleteFrom('sign_in_guesses').where('account', '=', args.account).where('network', '=', args.network),
);
