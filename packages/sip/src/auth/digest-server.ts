// Asks callers for a name and a password, with nonces that need no memory until they are used.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { checkText } from '../message/caller-values.ts';
import { HeaderFields } from '../message/header-fields.ts';
import type { SipRequest } from '../message/message.ts';
import { digestOf, parseDigestValues, printDigest } from './challenge.ts';

export type Authentication = {
  readonly realm: string;
  /** The password of that user; undefined when there is no such user. */
  passwordOf(username: string): string | undefined | Promise<string | undefined>;
};

const nonceLifetimeMs = 300_000;
const algorithms = ['SHA-256', 'MD5'] as const;

export class DigestServer {
  readonly #authentication: Authentication;
  readonly #now: () => number;
  readonly #key = randomBytes(32);
  /** The highest count of each nonce that was used, so that no answer serves twice. */
  readonly #counts = new Map<string, number>();

  constructor(authentication: Authentication, now: () => number) {
    checkText('realm', authentication.realm);
    this.#authentication = authentication;
    this.#now = now;
  }

  /** The challenges for a 401; undefined when the request has the right credentials. */
  async challenge(request: SipRequest): Promise<HeaderFields | undefined> {
    const answers = request.headers.getAll('Authorization').map(parseDigestValues);
    for (const values of answers) {
      const verdict = values === undefined ? 'wrong' : await this.#verdictOn(values, request.method);
      if (verdict === 'right') return undefined;
      if (verdict === 'stale') return this.#challenges(true);
    }
    return this.#challenges(false);
  }

  async #verdictOn(values: ReadonlyMap<string, string>, method: string): Promise<'right' | 'stale' | 'wrong'> {
    const [username, nonce, uri, cnonce, nc, response] = ['username', 'nonce', 'uri', 'cnonce', 'nc', 'response'].map(
      (name) => values.get(name) ?? '',
    ) as [string, string, string, string, string, string];
    const { realm } = this.#authentication;
    const algorithm = algorithms.find(
      (each) => each.toLowerCase() === (values.get('algorithm') ?? 'MD5').toLowerCase(),
    );
    const isComplete = values.get('qop') === 'auth' && values.get('realm') === realm && /^[0-9a-f]{8}$/i.test(nc);
    if (algorithm === undefined || !isComplete || !this.#isOurs(nonce)) return 'wrong';
    const password = await this.#authentication.passwordOf(username);
    const expected = digestOf({
      algorithm,
      username,
      realm,
      // Unknown users take as long as known ones.
      password: password ?? this.#key.toString('hex'),
      nonce,
      method,
      uri,
      counted: { cnonce, nc },
    });
    if (!isSame(expected, response.toLowerCase())) return 'wrong';
    return this.#isFresh(nonce) && this.#count(nonce, Number.parseInt(nc, 16)) ? 'right' : 'stale';
  }

  #challenges(isStale: boolean): HeaderFields {
    const { realm } = this.#authentication;
    const time = Math.floor(this.#now()).toString(36);
    const nonce = `${time}.${randomBytes(6).toString('hex')}`;
    const quoted = { realm, nonce: `${nonce}.${this.#seal(nonce)}`, qop: 'auth' };
    const values = algorithms.map((algorithm) => printDigest(quoted, { algorithm, ...(isStale && { stale: 'true' }) }));
    return HeaderFields.of({ 'WWW-Authenticate': values });
  }

  #seal(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, 32);
  }

  #isOurs(nonce: string): boolean {
    const end = nonce.lastIndexOf('.');
    return end > 0 && isSame(this.#seal(nonce.slice(0, end)), nonce.slice(end + 1));
  }

  #isFresh(nonce: string): boolean {
    const madeAt = Number.parseInt(nonce.split('.')[0] ?? '', 36);
    return this.#now() - madeAt < nonceLifetimeMs;
  }

  #count(nonce: string, count: number): boolean {
    for (const known of this.#counts.keys()) if (!this.#isFresh(known)) this.#counts.delete(known);
    if (count <= (this.#counts.get(nonce) ?? 0)) return false;
    this.#counts.set(nonce, count);
    return true;
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
