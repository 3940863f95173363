// A connection of ASP.NET Core SignalR: its transport, its queue of POSTs, and the hub or handler behind it.

import type { IncomingMessage } from 'node:http';
import { type Endpoint, HubSet } from '../live/endpoint.ts';
import { LiveHub } from '../live/live-hub.ts';
import type { Settings } from '../options.ts';
import { ByteSession } from './byte-session.ts';
import { HubListener } from './hub-listener.ts';
import { PostQueue } from './transports/post-queue.ts';
import type { RawConnection, RawListener } from './transports/raw-connection.ts';
import type { Transport } from './transports/transport.ts';

export class CoreConnection {
  readonly raw: RawConnection;
  readonly endpoint: Endpoint;
  readonly #listener: RawListener;
  readonly #settings: Settings;
  /** Created with the first POST. */
  #posts: PostQueue | undefined;

  constructor(raw: RawConnection, endpoint: Endpoint, settings: Settings) {
    this.raw = raw;
    this.endpoint = endpoint;
    this.#settings = settings;
    this.#listener = listenerAt(endpoint, raw, settings);
  }

  get posts(): PostQueue {
    this.#posts ??= new PostQueue(this.raw, this.#settings.limits.chunkBytes);
    return this.#posts;
  }

  start(transport: Transport, request: IncomingMessage): void {
    this.raw.start(transport, request, this.#listener);
  }

  /** Ends the connection gracefully and asks the client to reconnect. */
  close(): void {
    this.#listener.close();
  }
}

function listenerAt(endpoint: Endpoint, raw: RawConnection, settings: Settings): RawListener {
  if (endpoint instanceof LiveHub) return new HubListener(raw, endpoint, settings);
  if (endpoint instanceof HubSet) throw new Error('A client of ASP.NET Core SignalR connects to one hub');
  return new ByteSession(raw, endpoint, settings);
}
