// A request at a mount, the error that refuses it, and plain responses.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from './live/endpoint.ts';
import type { Settings } from './options.ts';
import type { Principal } from './principal.ts';

/** Refuses a request or an upgrade with a status and a plain text. */
export class RequestRefused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, text = '', headers: Readonly<Record<string, string>> = {}) {
    super(text);
    this.name = 'RequestRefused';
    this.status = status;
    this.headers = headers;
  }
}

/** A request whose origin is allowed and whose principal is known. */
export type MountRequest = {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** The path below the mount, in lower case and without slashes at its ends; empty at the mount itself. */
  readonly subPath: string;
  readonly query: Query;
  /** The path of the mount as given in the options. */
  readonly mountPath: string;
  readonly endpoint: Endpoint;
  /** The settings of the mount. */
  readonly settings: Settings;
  readonly principal: Principal;
};

/** The query of a request. Names are case-insensitive, as in ASP.NET. */
export class Query {
  readonly #values = new Map<string, string>();

  constructor(search: string) {
    for (const [name, value] of new URLSearchParams(search)) {
      const key = name.toLowerCase();
      if (!this.#values.has(key)) this.#values.set(key, value);
    }
  }

  /** Returns the value, or undefined when it is missing or empty. */
  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase()) || undefined;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
}

/**
 * Returns the bearer token of a request. Browsers cannot set headers on WebSockets and event streams, so the query may
 * carry it.
 */
export function bearerToken(request: IncomingMessage, query: Query): string | undefined {
  const header = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return header ?? query.get('access_token');
}

export function replyText(
  response: ServerResponse,
  status: number,
  text = '',
  headers: Readonly<Record<string, string>> = {},
): void {
  reply(response, status, 'text/plain', text, headers);
}

export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  reply(response, status, 'application/json', JSON.stringify(value), {});
}

function reply(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
