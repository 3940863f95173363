// Which pages may talk to the server: the rule of origins, for requests and upgrades alike, and the CORS answers to it.

import type { IncomingMessage, ServerResponse } from 'node:http';

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Requested-With, X-SignalR-User-Agent',
  'Access-Control-Max-Age': '600',
} as const;

/** Whether the page a request comes from may connect. Without an Origin it is no page at all. */
export function isOriginAllowed(request: IncomingMessage, allowedOrigins: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return true;
  // The scheme is not compared: behind a proxy that ends TLS the server does not know its own.
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Lets the browser hand the answer to the page; credentials forbid the `*` that would spare the list. */
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

export function replyToPreflight(response: ServerResponse): void {
  response.writeHead(204, preflightHeaders).end();
}
