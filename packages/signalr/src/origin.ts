// The origin check for requests and upgrades, and the CORS responses.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** The headers that the published clients add to their requests. */
const clientHeaders = 'Authorization, Content-Type, X-Requested-With, X-SignalR-User-Agent';

/** Returns whether a page of the request's origin may connect. A request without an Origin comes from no page. */
export function isOriginAllowed(request: IncomingMessage, allowedOrigins: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return true;
  // The scheme is not compared: behind a proxy that terminates TLS the server does not know its own.
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Lets the page read the response. The origin is echoed because `*` is not allowed together with credentials. */
export function addCorsHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
}

export function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

/** Allows the headers that the page asks for, since applications add their own; the origin was checked before. */
export function replyToPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    Vary: 'Origin, Access-Control-Request-Headers',
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? clientHeaders,
    'Access-Control-Max-Age': '600',
  });
  response.end();
}
