// Signed tokens that name one attempt: in the link of a mail, where they expire, and in its reply address and Message-ID.

import { createHmac, timingSafeEqual } from 'node:crypto';

const linkLifeMs = 7 * 86_400_000;
/** 80 bits: short enough for the name of a mail address, too many to guess. */
const tagDigits = 20;

export class AttemptTokens {
  readonly #key: Buffer;

  /** `key` is the same on all nodes; 32 bytes or more. */
  constructor(key: Buffer) {
    if (key.length < 32) throw new RangeError('the key of tokens is too short');
    this.#key = key;
  }

  linkToken(attemptId: number, now: number): string {
    const named = `${attemptId.toString(36)}.${Math.floor((now + linkLifeMs) / 1_000).toString(36)}`;
    return `${named}.${this.#sign('link', named).toString('base64url')}`;
  }

  /** Returns the attempt; undefined if the token is forged or has expired. */
  readLinkToken(token: string, now: number): number | undefined {
    const [, attempt = '', expires = '', signature = ''] =
      /^([0-9a-z]{1,11})\.([0-9a-z]{1,9})\.([\w-]{43})$/.exec(token) ?? [];
    // As text: the last character has bits that decoding drops, so that four of them would be taken.
    const expected = this.#sign('link', `${attempt}.${expires}`).toString('base64url');
    if (!isSame(Buffer.from(signature), Buffer.from(expected))) return undefined;
    return Number.parseInt(expires, 36) * 1_000 < now ? undefined : Number.parseInt(attempt, 36);
  }

  /** In small letters and digits: servers on the way may change the case of an address. */
  tag(attemptId: number): string {
    const named = attemptId.toString(36);
    return `${named}-${this.#sign('tag', named).toString('hex').slice(0, tagDigits)}`;
  }

  readTag(tag: string): number | undefined {
    const [, attempt = '', signature = ''] = /^([0-9a-z]{1,11})-([0-9a-f]{20})$/.exec(tag.toLowerCase()) ?? [];
    const expected = this.#sign('tag', attempt).toString('hex').slice(0, tagDigits);
    return isSame(Buffer.from(signature), Buffer.from(expected)) ? Number.parseInt(attempt, 36) : undefined;
  }

  #sign(purpose: string, named: string): Buffer {
    return createHmac('sha256', this.#key).update(`${purpose}:${named}`).digest();
  }
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
