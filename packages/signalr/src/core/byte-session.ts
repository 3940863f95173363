// A client of a raw-connections handler: received bytes are queued until the handler reads them.

import { isUtf8 } from 'node:buffer';
import type { ByteConnection } from '../connections.ts';
import type { LiveConnections } from '../live/live-connections.ts';
import { ReceiveQueue } from '../live/receive-queue.ts';
import type { OpeningRequest } from '../opening-request.ts';
import type { Settings } from '../options.ts';
import { isExpired, type Principal } from '../principal.ts';
import { Payload } from '../sending/payload.ts';
import type { RawConnection, RawListener } from './transports/raw-connection.ts';

export class ByteSession implements RawListener, ByteConnection {
  readonly id: string;
  readonly received: ReceiveQueue<Buffer>;
  readonly #raw: RawConnection;
  readonly #connections: LiveConnections;
  readonly #settings: Settings;
  #lastSignAt: number;

  constructor(raw: RawConnection, connections: LiveConnections, settings: Settings) {
    this.id = raw.id;
    this.received = new ReceiveQueue(() => this.#applyBackpressure());
    this.#raw = raw;
    this.#connections = connections;
    this.#settings = settings;
    this.#lastSignAt = settings.now();
  }

  get principal(): Principal {
    return this.#raw.principal;
  }

  get request(): OpeningRequest {
    return this.#raw.request;
  }

  get closed(): AbortSignal {
    return this.#raw.closed;
  }

  send(data: string | Uint8Array): void {
    const isBinary = typeof data !== 'string';
    if (isBinary && !this.#raw.canBeBinary && !isUtf8(data)) {
      throw new TypeError(`The transport of this connection, ${this.#raw.transportName}, carries text alone`);
    }
    const bytes = isBinary ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
    this.#raw.send(new Payload(bytes, isBinary));
  }

  untilSent(): Promise<void> {
    return this.#raw.until(() => this.#raw.hasRoom);
  }

  /** Sends the client no reason, since all bytes belong to the handler. */
  close(): void {
    this.#raw.close();
  }

  onStarted(): void {
    void this.#connections.serve(this);
  }

  onData(bytes: Buffer): void {
    this.received.add(bytes);
    this.#applyBackpressure();
  }

  onTooSlow(): void {
    this.#raw.giveUp();
  }

  onClosed(): void {
    this.received.end();
  }

  tick(now: number): void {
    if (isExpired(this.principal, this.#settings.wallClock())) this.close();
    else if (now - this.#lastSignAt >= this.#settings.intervals.keepAlive) {
      this.#lastSignAt = now;
      this.#raw.transport?.keepAlive();
    }
  }

  /** Stops reading from a client that sends faster than the handler reads. */
  #applyBackpressure(): void {
    const isAhead = this.received.unread >= this.#settings.limits.uploadItems;
    if (isAhead === this.#raw.isPaused) return;
    if (isAhead) this.#raw.pause();
    else this.#raw.unpause();
  }
}
