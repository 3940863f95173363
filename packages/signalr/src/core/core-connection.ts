// A connection of ASP.NET Core SignalR: its bytes, what is posted to it, and who speaks over it.

import type { Endpoint } from '../endpoint.ts';
import { LiveHub } from '../live-hub.ts';
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
  /** Only when something is posted. */
  #posts: PostQueue | undefined;

  constructor(raw: RawConnection, endpoint: Endpoint, settings: Settings) {
    this.raw = raw;
    this.endpoint = endpoint;
    this.#settings = settings;
    this.#listener =
      endpoint instanceof LiveHub ? new HubListener(raw, endpoint, settings) : new ByteSession(raw, endpoint, settings);
  }

  get posts(): PostQueue {
    this.#posts ??= new PostQueue(this.raw, this.#settings.limits.chunkBytes);
    return this.#posts;
  }

  start(transport: Transport): void {
    this.raw.start(transport, this.#listener);
  }

  /** Ends it in good order; the client is to come back. */
  close(): void {
    this.#listener.close();
  }
}
