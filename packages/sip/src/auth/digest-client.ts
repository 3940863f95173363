// Answers challenges with a name and a password, and uses what it learned for the requests that follow.

import { randomBytes } from 'node:crypto';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { type Challenge, digestOf, parseChallenge, printDigest, strengthOf } from './challenge.ts';

export type Credentials = {
  readonly username: string;
  readonly password: string;
  /** When given, challenges of other realms are not answered. */
  readonly realm?: string;
};

type Place = 'Authorization' | 'Proxy-Authorization';

type Known = { readonly place: Place; readonly challenge: Challenge; uses: number };

/** Realms that are answered on the way of a request: its proxies and its server. */
const mostRealms = 4;

export class DigestClient {
  readonly #credentials: Credentials | undefined;
  /** The newest challenge for each place and realm, the oldest first. */
  readonly #known = new Map<string, Known>();

  constructor(credentials: Credentials | undefined) {
    this.#credentials = credentials;
  }

  /** Sends no credentials before they are asked for anew. */
  forget(): void {
    this.#known.clear();
  }

  /** Adds the credentials that earlier challenges asked for. */
  authorize(request: SipRequest): SipRequest {
    const credentials = this.#credentials;
    if (credentials === undefined) return request;
    let headers = request.headers.without('Authorization').without('Proxy-Authorization');
    for (const known of this.#known.values()) {
      known.uses += 1;
      headers = headers.withAdded(known.place, authorization(credentials, known, request));
    }
    return { ...request, headers };
  }

  /**
   * Learns from a 401 or 407 and says whether the request should be sent again. `answered` holds the realms that were
   * answered for this request: a second refusal means a wrong password, unless the nonce was only stale.
   */
  learn(response: SipResponse, answered: Map<string, number>): boolean {
    const place: Place = response.status === 407 ? 'Proxy-Authorization' : 'Authorization';
    const challenge = this.#strongest(response);
    if (challenge === undefined) return false;
    const key = `${place} ${challenge.realm}`;
    const times = answered.get(key) ?? 0;
    if (times > (challenge.isStale ? 1 : 0)) return false;
    // A server that names another realm each time would be answered for ever.
    if (times === 0 && answered.size >= mostRealms) return false;
    answered.set(key, times + 1);
    this.#known.delete(key);
    this.#known.set(key, { place, challenge, uses: 0 });
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > mostRealms) this.#known.delete(oldest);
    return true;
  }

  #strongest(response: SipResponse): Challenge | undefined {
    const name = response.status === 407 ? 'Proxy-Authenticate' : 'WWW-Authenticate';
    const realm = this.#credentials?.realm;
    const challenges = response.headers.getAll(name).flatMap((value) => parseChallenge(value) ?? []);
    const ours = challenges.filter((challenge) => realm === undefined || challenge.realm === realm);
    if (this.#credentials === undefined) return undefined;
    return ours.sort((a, b) => strengthOf(b.algorithm) - strengthOf(a.algorithm))[0];
  }
}

function authorization({ username, password }: Credentials, { challenge, uses }: Known, request: SipRequest): string {
  const { realm, nonce, opaque, algorithm, hasQop } = challenge;
  const counted = hasQop
    ? { cnonce: randomBytes(12).toString('hex'), nc: uses.toString(16).padStart(8, '0') }
    : undefined;
  const { method, uri } = request;
  const response = digestOf({ algorithm, username, realm, password, nonce, method, uri, ...(counted && { counted }) });
  return printDigest(
    { username, realm, nonce, uri, response, opaque, cnonce: counted?.cnonce },
    { algorithm, ...(counted && { qop: 'auth', nc: counted.nc }) },
  );
}
