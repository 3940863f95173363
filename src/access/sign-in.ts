// Signs users in with name and password: throttled, equally slow for unknown names; returns a token once.

import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { networkOf } from '../domain/access/network.ts';
import type { WaitReason } from '../domain/access/sign-in-throttle.ts';
import { fold } from '../domain/search.ts';
import { openSession } from '../operations/access/sessions.ts';
import { checkSignIn, reserveGuess, type SignInStanding } from '../operations/access/sign-in-guesses.ts';
import type { Store } from '../store/store.ts';
import { inHashingTurn, tooManySignIns } from './hashing-queue.ts';
import { type PasswordCost, passwordMatchesNow } from './password.ts';
import { hashToken, makeToken } from './token.ts';

type SignInOutcome =
  | {
      readonly kind: 'signed-in';
      readonly token: string;
      readonly sessionId: number;
      readonly userName: string;
      /** The mark that makes the browser known; undefined for programs. */
      readonly mark: string | undefined;
    }
  /** `userId` is undefined if the name is nobody's; it is for the audit trail, not for the response. */
  | { readonly kind: 'wrong'; readonly userId: number | undefined }
  | {
      readonly kind: 'wait';
      readonly reason: WaitReason;
      readonly seconds: number;
      readonly userId: number | undefined;
    };

type Credentials = {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  /** The mark that the browser sent. */
  readonly mark?: string | undefined;
  /** Whether the client is a browser, which keeps a mark. Programs would get a new one with each sign-in. */
  readonly keepsMark?: boolean;
};

/** One sign-in and where it comes from. */
type Attempt = Credentials & { readonly network: string; readonly markHash: string | undefined };

/** Sign-ins to one account from one address that may wait for each other. */
const maxWaitingTogether = 200;

type Lane = { last: Promise<unknown>; size: number };

export class SignIn {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #tokenSeconds: number;
  readonly #passwordCost: PasswordCost | undefined;
  /** The sign-ins under way, by account and network. */
  readonly #lanes = new Map<string, Lane>();
  /** How long checking a password has taken lately, with the time it waited for its turn. */
  #checkMs = 0;

  constructor(store: Store, clock: Clock, tokenSeconds: number, passwordCost?: PasswordCost) {
    this.#store = store;
    this.#clock = clock;
    this.#tokenSeconds = tokenSeconds;
    this.#passwordCost = passwordCost;
  }

  /**
   * Sign-ins to one account from one address, or from one known browser, are handled one after another: a right password must
   * not be refused for guesses that are still being checked, and a flood takes one place in the hashing queue.
   */
  async signIn(credentials: Credentials): Promise<SignInOutcome> {
    const { mark, address, name } = credentials;
    const attempt = { ...credentials, network: networkOf(address), markHash: mark && hashToken(mark) };
    const isKnownDevice = attempt.markHash !== undefined && (await this.#standingOf(attempt)).isKnownDevice;
    const key = `${fold(name)}\n${isKnownDevice ? attempt.markHash : attempt.network}`;
    const lane = this.#lanes.get(key) ?? { last: Promise.resolve(), size: 0 };
    if (lane.size >= maxWaitingTogether) throw tooManySignIns();
    this.#lanes.set(key, lane);
    lane.size++;
    const outcome = lane.last.then(() => this.#signInFrom(attempt));
    lane.last = outcome.catch(() => {});
    try {
      return await outcome;
    } finally {
      lane.size--;
      if (lane.size === 0) this.#lanes.delete(key);
    }
  }

  #standingOf({ name, network, markHash }: Attempt): ReturnType<typeof checkSignIn.run> {
    return this.#store.read(checkSignIn, { name, network, markHash, now: this.#clock.now() });
  }

  async #signInFrom(attempt: Attempt): Promise<SignInOutcome> {
    const first = await this.#standingOf(attempt);
    if (first.decision.kind === 'wait') {
      // As late as a guess that was checked, so that the time does not tell what the answer hides.
      await setTimeout(this.#checkMs);
      return refusal(first);
    }
    // The guess is counted within the turn, so that at most two right passwords are counted as guesses at any time.
    const from = performance.now();
    const outcome = await inHashingTurn(first.isKnown ? 'known' : 'stranger', () => this.#check(attempt));
    this.#checkMs += (performance.now() - from - this.#checkMs) / 8;
    return outcome;
  }

  async #check(attempt: Attempt): Promise<SignInOutcome> {
    const { name, password, address, network, markHash } = attempt;
    const standing = await this.#store.write(reserveGuess, { name, network, markHash });
    const { decision, passwordHash, isKnownDevice } = standing;
    if (decision.kind === 'wait') return refusal(standing);
    const matches = await passwordMatchesNow(password, passwordHash, this.#passwordCost);
    if (!matches || passwordHash === undefined) return refusal(standing);
    const { token, tokenHash } = makeToken('session');
    const mark = isKnownDevice ? attempt.mark : attempt.keepsMark ? makeToken('device').token : undefined;
    const expiresAt = this.#clock.now() + this.#tokenSeconds * 1_000;
    const opening = { name, passwordHash, tokenHash, address, network, markHash: mark && hashToken(mark), expiresAt };
    const session = await this.#store.write(openSession, opening);
    if (session === undefined) return refusal(standing);
    return { kind: 'signed-in', token, sessionId: session.id, userName: session.userName, mark };
  }
}

function refusal({ shown, userId }: Pick<SignInStanding, 'shown' | 'userId'>): SignInOutcome {
  if (shown.kind === 'check') return { kind: 'wrong', userId };
  return { kind: 'wait', reason: shown.reason, seconds: Math.ceil(shown.ms / 1_000), userId };
}
