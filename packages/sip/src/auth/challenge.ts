// Challenges and credentials of HTTP digest as SIP uses it: RFC 7616, RFC 2617 and RFC 8760.

import { createHash } from 'node:crypto';
import { isQuoted, isToken, quote, splitOutside, unquote } from '../message/tokens.ts';

/** Names of hash functions in Node by algorithm, the strongest first. */
const hashes: ReadonlyMap<string, string> = new Map([
  ['sha-512-256', 'sha512-256'],
  ['sha-256', 'sha256'],
  ['md5', 'md5'],
]);

export type Challenge = {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque?: string;
  /** As the peer wrote it; absent it means MD5. */
  readonly algorithm?: string;
  /** Whether the peer wants `qop=auth`; false is the form of RFC 2069, without a client nonce. */
  readonly hasQop: boolean;
  readonly isStale: boolean;
};

/** What a challenge names is repeated in each request: longer texts would make them grow beyond what a datagram holds. */
const mostCharacters = 1_024;

/** Parses the value of WWW-Authenticate or Proxy-Authenticate; undefined when it is malformed or asks for what is unknown. */
export function parseChallenge(text: string): Challenge | undefined {
  const values = parseDigestValues(text);
  const [realm, nonce] = [values?.get('realm'), values?.get('nonce')];
  if (values === undefined || realm === undefined || nonce === undefined) return undefined;
  const [algorithm, opaque] = [values.get('algorithm'), values.get('opaque')];
  if (strengthOf(algorithm) === 0) return undefined;
  if ([realm, nonce, opaque ?? ''].some(({ length }) => length > mostCharacters)) return undefined;
  const qop = values
    .get('qop')
    ?.split(',')
    .map((word) => word.trim().toLowerCase());
  if (qop !== undefined && !qop.includes('auth')) return undefined;
  return {
    realm,
    nonce,
    ...(opaque !== undefined && { opaque }),
    ...(algorithm !== undefined && { algorithm }),
    hasQop: qop !== undefined,
    isStale: values.get('stale')?.toLowerCase() === 'true',
  };
}

/** The `name=value` pairs after the word Digest, names in lower case; undefined for other schemes and malformed lists. */
export function parseDigestValues(text: string): Map<string, string> | undefined {
  const list = /^Digest\s+(.*)$/is.exec(text)?.[1];
  const parts = list === undefined ? undefined : splitOutside(list, ',');
  if (parts === undefined) return undefined;
  const values = new Map<string, string>();
  for (const part of parts.filter((each) => each !== '')) {
    const [, name, value] = /^([^\s=]+)\s*=\s*(.+)$/s.exec(part) ?? [];
    if (name === undefined || value === undefined || !isToken(name) || values.has(name.toLowerCase())) return undefined;
    values.set(name.toLowerCase(), isQuoted(value) ? unquote(value) : value);
  }
  return values;
}

/** 0 for algorithms that are not supported, else larger for stronger ones. */
export function strengthOf(algorithm = 'MD5'): number {
  const at = [...hashes.keys()].indexOf(baseOf(algorithm));
  return at < 0 ? 0 : hashes.size - at;
}

function baseOf(algorithm: string): string {
  return algorithm.toLowerCase().replace(/-sess$/, '');
}

export type DigestInput = {
  readonly algorithm: string | undefined;
  readonly username: string;
  readonly realm: string;
  readonly password: string;
  readonly nonce: string;
  readonly method: string;
  readonly uri: string;
  /** Absent in the form without qop. */
  readonly counted?: { readonly cnonce: string; readonly nc: string };
};

/** The response that proves knowledge of the password. */
export function digestOf({
  algorithm = 'MD5',
  username,
  realm,
  password,
  nonce,
  method,
  uri,
  counted,
}: DigestInput): string {
  const hash = (text: string) =>
    createHash(hashes.get(baseOf(algorithm)) ?? 'md5')
      .update(text)
      .digest('hex');
  const secret = hash(`${username}:${realm}:${password}`);
  const isSession = /-sess$/i.test(algorithm);
  const a1 = isSession ? hash(`${secret}:${nonce}:${counted?.cnonce ?? ''}`) : secret;
  const a2 = hash(`${method}:${uri}`);
  if (counted === undefined) return hash(`${a1}:${nonce}:${a2}`);
  return hash(`${a1}:${nonce}:${counted.nc}:${counted.cnonce}:auth:${a2}`);
}

/** Prints `Digest name=value, …`; the values in `quoted` get quotes. */
export function printDigest(quoted: Readonly<Record<string, string | undefined>>, bare: typeof quoted): string {
  const print = (values: typeof quoted, form: (value: string) => string) =>
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${form(value)}`]));
  return `Digest ${[...print(quoted, quote), ...print(bare, (value) => value)].join(', ')}`;
}
