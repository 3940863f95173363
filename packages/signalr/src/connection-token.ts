// Connection ids, and signed tokens with which any node that has the key opens a connection negotiated on another.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

type Key = string | Uint8Array;

/** `current` signs; every key of `all` is accepted, so that keys can be rotated without cutting connections. */
export type TokenKeys = { readonly current: Key; readonly all: readonly Key[] };

export type ConnectionToken = {
  readonly connectionId: string;
  /** The node that negotiated. */
  readonly nodeId: string;
  readonly principalId: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Whether stateful reconnect was negotiated. */
  readonly isStateful: boolean;
  /** The version of negotiation. */
  readonly version: number;
};

export function makeConnectionId(): string {
  return randomBytes(16).toString('base64url');
}

/** Signs a token for one scope. Its characters need no escaping in a query, because clients do not escape it. */
export function signToken(token: ConnectionToken, scope: string, keys: TokenKeys): string {
  const { connectionId, nodeId, principalId, issuedAt, isStateful, version } = token;
  const fields = [connectionId, nodeId, principalId, issuedAt, isStateful, version];
  const body = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${body}.${signature(body, scope, keys.current).toString('base64url')}`;
}

/** Returns the token, or undefined when none of the keys signed it for this scope. */
export function readToken(text: string, scope: string, keys: TokenKeys): ConnectionToken | undefined {
  const [body, signed, ...more] = text.split('.');
  if (body === undefined || signed === undefined || more.length > 0) return undefined;
  const given = Buffer.from(signed, 'base64url');
  const isGenuine = keys.all.some((key) => {
    const expected = signature(body, scope, key);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  return isGenuine ? contentOf(body) : undefined;
}

function contentOf(body: string): ConnectionToken {
  const [connectionId, nodeId, principalId, issuedAt, isStateful, version] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  ) as [string, string, string, number, boolean, number];
  return { connectionId, nodeId, principalId, issuedAt, isStateful, version };
}

/** The prefix keeps signatures made with the same key for another purpose from being accepted here. */
function signature(body: string, scope: string, key: Key): Buffer {
  return createHmac('sha256', key).update(`signalr-connection:${scope}:${body}`).digest();
}
