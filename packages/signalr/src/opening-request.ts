// The request that opened the transport of a connection, as hubs and handlers can read it.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** The request that opened a transport: of long polling the first poll, of classic SignalR 2 the last (re)connect. */
export interface OpeningRequest {
  readonly transport: TransportName;
  readonly headers: IncomingHttpHeaders;
  /** The query as the client sent it, including its tokens. */
  readonly query: URLSearchParams;
  readonly cookies: Readonly<Record<string, string>>;
}

/** Stores the headers and the query alone: the request itself would keep its socket and buffers in memory. */
export class StoredRequest implements OpeningRequest {
  readonly headers: IncomingHttpHeaders;
  readonly transport: TransportName;
  readonly #search: string;

  constructor({ headers, url = '' }: IncomingMessage, transport: TransportName) {
    const at = url.indexOf('?');
    this.headers = headers;
    this.transport = transport;
    this.#search = at < 0 ? '' : url.slice(at + 1);
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#search);
  }

  get cookies(): Readonly<Record<string, string>> {
    const pairs = (this.headers.cookie ?? '').split(';').filter((pair) => pair.includes('='));
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
      }),
    );
  }
}

/** Cookies are escaped by convention only. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
