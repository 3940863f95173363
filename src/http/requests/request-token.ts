// Finds the token of a request: a bearer's, and at intakes for senders that can set no header one in the address or a password.

import type { IncomingHttpHeaders } from 'node:http';
import type { Route } from '../route.ts';

type Sent = { readonly headers: IncomingHttpHeaders; readonly query: unknown };

export function bearerToken(authorization = ''): string | undefined {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : undefined;
}

/** Returns the token of a request: of a bearer, and where the route allows it of the address or of basic authentication. */
export function tokenOf(
  { takesSimpleKey }: Pick<Route, 'takesSimpleKey'>,
  { headers, query }: Sent,
): string | undefined {
  const bearer = bearerToken(headers.authorization);
  if (bearer !== undefined || !takesSimpleKey) return bearer;
  return basicPassword(headers.authorization) ?? (query as { readonly key?: string }).key;
}

function basicPassword(authorization = ''): string | undefined {
  if (authorization.slice(0, 6).toLowerCase() !== 'basic ') return undefined;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(authorization.slice(6), 'base64').toString()) ?? [];
  return password;
}

export function hasToken(route: Pick<Route, 'takesSimpleKey'>, request: Sent): boolean {
  return request.headers.authorization !== undefined || tokenOf(route, request) !== undefined;
}
