// Cross-origin requests of pages: those of the allowed origins may use the interface, with any header they ask for.

import type { IncomingMessage, ServerResponse } from 'node:http';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** The response headers that scripts of such a page may read. */
const readable =
  'Tocsin-Warnings, Tocsin-Ignored-Fields, Preference-Applied, Retry-After, WWW-Authenticate, Allow, ETag';
const preflightSeconds = 600;

/**
 * Adds the headers for a page of an allowed origin. Returns whether the request was a preflight, which is answered then.
 * Tokens are sent in a header, never in a cookie, so no credentials are allowed.
 */
export function handleOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
  common: Readonly<Record<string, string>>,
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !allowedOrigins.includes(origin)) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'Origin');
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
    response.setHeader('access-control-expose-headers', readable);
    return false;
  }
  const asked = request.headers['access-control-request-headers'];
  response.writeHead(204, {
    ...common,
    ...response.getHeaders(),
    vary: 'Origin, Access-Control-Request-Headers',
    'access-control-allow-methods': methods,
    ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
    'access-control-max-age': String(preflightSeconds),
  });
  response.end();
  return true;
}
