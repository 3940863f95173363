// Counts sign-in guesses, known addresses and known browsers in the store, so that a restart forgets none and the nodes share them.

import { hash } from 'node:crypto';
import {
  type Budget,
  countedSpan,
  decideSignIn,
  knownAddressMs,
  maxKnownAddresses,
  maxKnownDevices,
  newAddressBudgets,
  type ThrottleDecision,
} from '../../domain/access/sign-in-throttle.ts';
import { fold } from '../../domain/search.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Query, ReadTx, Tx } from '../../store/store.ts';
import { findUser } from './queries.ts';

type SignInAttempt = {
  readonly name: string;
  readonly network: string;
  /** The hash of the mark that the browser sent. */
  readonly markHash?: string | undefined;
};

export type SignInStanding = {
  readonly decision: ThrottleDecision;
  /**
   * What a refusal says: what it would say of a name that nobody has, so that nobody learns behind an address from which
   * somebody has signed in which names did. Only a known browser, which no stranger has, is told how it stands.
   */
  readonly shown: ThrottleDecision;
  /** Whether the user has signed in from the network, or with the browser, lately. */
  readonly isKnown: boolean;
  readonly isKnownDevice: boolean;
  /** Undefined for unknown names. */
  readonly userId: number | undefined;
  /** Undefined for unknown users and for those who cannot sign in. */
  readonly passwordHash: string | undefined;
};

/** Whether a sign-in could be checked now; refuses most guesses of a flood without a write. */
export const checkSignIn: Query<SignInAttempt & { now: Instant }, Omit<SignInStanding, 'passwordHash'>> = {
  name: 'check-sign-in',
  isQuick: true,
  async run(tx, { now, ...attempt }) {
    const { passwordHash: _, origin: __, ...standing } = await standingOf(tx, now, attempt);
    return standing;
  },
};

/**
 * Counts a guess before its password is checked, so that guesses sent at once, also to several nodes, cannot all pass the
 * check before the first failure is recorded. A successful sign-in removes it again.
 */
export const reserveGuess: Operation<SignInAttempt, SignInStanding> = {
  name: 'reserve-guess',
  async run(tx, now, attempt) {
    const { origin, ...standing } = await standingOf(tx, now, attempt);
    const guess = { account: accountOf(attempt.name), network: origin, now };
    if (standing.decision.kind === 'check')
      await tx.insert(insertGuess, { ...guess, isNewAddress: standing.isKnownDevice ? 0 : 1 });
    return standing;
  },
};

/** Makes the network and the browser known to the user, and clears the guesses at the account from them. */
export async function noteSuccessfulSignIn(
  tx: Tx,
  now: Instant,
  { userId, name, network, markHash }: SignInAttempt & { readonly userId: number },
): Promise<void> {
  for (const origin of markHash === undefined ? [network] : [network, deviceOf(markHash)]) {
    await tx.run(removeGuesses, { account: accountOf(name), network: origin });
    await tx.run(putKnownAddress, { userId, network: origin, now });
  }
  await tx.run(trimKnown.addresses, { userId });
  await tx.run(trimKnown.devices, { userId });
}

/** Forgets the browsers of a user, for whom a new password counts everywhere. */
export async function forgetDevices(tx: Tx, userId: number): Promise<void> {
  await tx.run(removeDevices, { userId });
}

/** Deletes guesses that no longer count now, and addresses that were no longer known as of `asOf`. */
export async function forgetSignIns(tx: Tx, now: Instant, asOf: Instant): Promise<void> {
  await tx.run(removeOldGuesses, countedSpan(now));
  await tx.run(removeOldAddresses, { before: asOf - knownAddressMs });
}

/**
 * The guesses of a known browser count apart from those of its network: strangers there do not delay it. The same
 * statements run for known and unknown names, so that the response time does not tell them apart.
 */
async function standingOf(
  tx: ReadTx,
  now: Instant,
  { name, network, markHash = '' }: SignInAttempt,
): Promise<SignInStanding & { readonly origin: string }> {
  const user = await findUser(tx, name);
  const known = { userId: user?.id ?? 0, since: now - knownAddressMs };
  const device = deviceOf(markHash);
  const isKnownDevice = (await tx.one(selectKnownAddress, { ...known, network: device })) !== undefined;
  const isKnown = (await tx.one(selectKnownAddress, { ...known, network })) !== undefined || isKnownDevice;
  const origin = isKnownDevice ? device : network;
  const guesses = { account: accountOf(name), network: origin, ...countedSpan(now) };
  const own = await tx.one(countOwnGuesses, guesses);
  const budgetUsedBy = isKnownDevice ? undefined : await usedBudgets(tx, guesses);
  const counted = { own: { count: own?.count ?? 0, lastAt: own?.last_at ?? undefined }, budgetUsedBy };
  const shown = decideSignIn(counted, now);
  const decision = isKnown ? decideSignIn({ ...counted, budgetUsedBy: undefined }, now) : shown;
  return { decision, shown, isKnown, isKnownDevice, userId: user?.id, passwordHash: user?.passwordHash, origin };
}

const devicePrefix = 'device:';

/** A browser stands where a network does; no network has this form. */
function deviceOf(markHash: string): string {
  return `${devicePrefix}${markHash}`;
}

async function usedBudgets(tx: ReadTx, guesses: GuessArgs): Promise<Record<Budget, Instant | undefined>> {
  return {
    account: (await tx.one(selectBudgetUse.account, guesses))?.at,
    address: (await tx.one(selectBudgetUse.address, guesses))?.at,
    server: (await tx.one(selectBudgetUse.server, guesses))?.at,
  };
}

function accountOf(name: string): string {
  return hash('sha256', fold(name), 'base64url');
}

type GuessArgs = { account: string; network: string; after: number; upTo: number };

const selectKnownAddress = statement((db, args: { userId: number; network: string; since: number }) =>
  db
    .selectFrom('sign_in_addresses')
    .select('last_success_at')
    .where('user_id', '=', args.userId)
    .where('network', '=', args.network)
    .where('last_success_at', '>', args.since),
);

const countOwnGuesses = statement((db, args: GuessArgs) =>
  db
    .selectFrom('sign_in_guesses')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max<number | null>('at').as('last_at')])
    .where('account', '=', args.account)
    .where('network', '=', args.network)
    .where('at', '>', args.after)
    .where('at', '<=', args.upTo),
);

/** Finds the guess that uses up a budget: the twentieth newest for a budget of twenty. */
const selectBudgetUse = {
  account: budgetUse('account'),
  address: budgetUse('address'),
  server: budgetUse('server'),
};

function budgetUse(budget: Budget) {
  return statement((db, args: GuessArgs) => {
    const counted = db
      .selectFrom('sign_in_guesses')
      .select('at')
      .where('is_new_address', '=', 1)
      .where('at', '>', args.after)
      .where('at', '<=', args.upTo)
      .orderBy('at', 'desc')
      .limit(1)
      .offset(newAddressBudgets[budget] - 1);
    if (budget === 'account') return counted.where('account', '=', args.account);
    return budget === 'address' ? counted.where('network', '=', args.network) : counted;
  });
}

const insertGuess = statement<{ account: string; network: string; now: number; isNewAddress: 0 | 1 }, { id: number }>(
  (db, args) =>
    db
      .insertInto('sign_in_guesses')
      .values({ account: args.account, network: args.network, at: args.now, is_new_address: args.isNewAddress })
      .returning('id'),
);

const removeGuesses = statement<{ account: string; network: string }>((db, args) =>
  db.deleteFrom('sign_in_guesses').where('account', '=', args.account).where('network', '=', args.network),
);

const putKnownAddress = statement<{ userId: number; network: string; now: number }>((db, args) =>
  db
    .insertInto('sign_in_addresses')
    .values({ user_id: args.userId, network: args.network, last_success_at: args.now })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ last_success_at: args.now })),
);

/** Keeps the latest addresses and the latest browsers of a user, each by their own number. */
const trimKnown = { addresses: trim('not like', maxKnownAddresses), devices: trim('like', maxKnownDevices) };

function trim(isDevice: 'like' | 'not like', most: number) {
  return statement<{ userId: number }>((db, args) =>
    db
      .deleteFrom('sign_in_addresses')
      .where('user_id', '=', args.userId)
      .where('network', isDevice, `${devicePrefix}%`)
      .where('last_success_at', '<', ({ selectFrom }) =>
        selectFrom('sign_in_addresses')
          .select('last_success_at')
          .where('user_id', '=', args.userId)
          .where('network', isDevice, `${devicePrefix}%`)
          .orderBy('last_success_at', 'desc')
          .limit(1)
          .offset(most - 1),
      ),
  );
}

const removeDevices = statement<{ userId: number }>((db, args) =>
  db.deleteFrom('sign_in_addresses').where('user_id', '=', args.userId).where('network', 'like', `${devicePrefix}%`),
);

const removeOldGuesses = statement<{ after: number; upTo: number }>((db, args) =>
  db.deleteFrom('sign_in_guesses').where((eb) => eb.or([eb('at', '<=', args.after), eb('at', '>', args.upTo)])),
);

const removeOldAddresses = statement<{ before: number }>((db, args) =>
  db.deleteFrom('sign_in_addresses').where('last_success_at', '<', args.before),
);
