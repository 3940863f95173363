// Signs users in with name and password: throttled, equally slow for unknown names; returns a token once.

import { isIPv6 } from 'node:net';
import type { Clock } from '../clock.ts';
import {
  type Attempts,
  afterFailure,
  delayOf,
  forgetAfterMs,
  type ThrottleKind,
} from '../domain/access/sign-in-throttle.ts';
import { fold } from '../domain/search.ts';
import { getUserForSignIn } from '../operations/access/queries.ts';
import { openSession } from '../operations/access/sessions.ts';
import type { Store } from '../store/store.ts';
import { passwordMatches } from './password.ts';
import { makeToken } from './token.ts';

type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly token: string; readonly sessionId: number; readonly userName: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

type Credentials = { readonly name: string; readonly password: string; readonly address: string };

/** Limits the memory an attacker with many addresses can use; the oldest entries are dropped first. */
const maxRemembered = 10_000;

export class SignIn {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #tokenSeconds: number;
  readonly #attempts = new Map<string, Attempts>();

  constructor(store: Store, clock: Clock, tokenSeconds: number) {
    this.#store = store;
    this.#clock = clock;
    this.#tokenSeconds = tokenSeconds;
  }

  async signIn({ name, password, address }: Credentials): Promise<SignInOutcome> {
    const from = networkOf(address);
    const keys: readonly [ThrottleKind, string][] = [
      ['accountAndAddress', `${fold(name)}\n${from}`],
      ['address', from],
    ];
    const now = this.#clock.now();
    const delay = Math.max(...keys.map(([kind, key]) => delayOf(kind, this.#attempts.get(key), now)));
    if (delay > 0) return { kind: 'wait', seconds: Math.ceil(delay / 1_000) };
    // Counted before the password is checked, so that many guesses sent at once are throttled too.
    for (const [, key] of keys) this.#remember(key, afterFailure(this.#attempts.get(key), now));
    const opened = await this.#open(name, password, address);
    if (opened === undefined) return { kind: 'wrong' };
    // The address keeps its count, so that a user's own sign-in does not reset guesses at other accounts.
    this.#attempts.delete(`${fold(name)}\n${from}`);
    return opened;
  }

  async #open(name: string, password: string, address: string): Promise<SignInOutcome | undefined> {
    const user = await this.#store.read(getUserForSignIn, { name });
    const matches = await passwordMatches(password, user?.passwordHash);
    if (!matches || user?.passwordHash === undefined) return undefined;
    const { token, tokenHash } = makeToken('session');
    const expiresAt = this.#clock.now() + this.#tokenSeconds * 1_000;
    const session = await this.#store.write(openSession, {
      name,
      passwordHash: user.passwordHash,
      tokenHash,
      address,
      expiresAt,
    });
    return session && { kind: 'signed-in', token, sessionId: session.id, userName: session.userName };
  }

  #remember(key: string, attempts: Attempts): void {
    this.#attempts.delete(key);
    this.#attempts.set(key, attempts);
    for (const [oldest, { lastAt }] of this.#attempts) {
      const isPast = attempts.lastAt - lastAt >= forgetAfterMs;
      if (!isPast && this.#attempts.size <= maxRemembered) break;
      this.#attempts.delete(oldest);
    }
  }
}

/** Returns the /64 network of an IPv6 address, because its owner has all 2^64 addresses of it. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? [] : Array<string>(8).fill('0');
  return [...groups, ...zeros].slice(0, 4).join(':');
}
