// Access tokens: 256 random bits, shown once and stored only as their SHA-256.

import { hash, randomBytes } from 'node:crypto';

/** The prefix tells people and secret scanners which kind of token leaked. */
const prefixes = { session: 'tocs_', key: 'tock_', device: 'tocd_' } as const;

export function makeToken(kind: keyof typeof prefixes): { readonly token: string; readonly tokenHash: string } {
  const token = prefixes[kind] + randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

/** No salt or slow hash is needed: 256 random bits cannot be guessed. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}
