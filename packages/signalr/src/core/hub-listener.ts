// An ASP.NET Core client of a hub from its first byte on: the handshake, then a session.

import type { LiveHub } from '../live/live-hub.ts';
import type { Settings } from '../options.ts';
import { HubSession } from './hub-session.ts';
import {
  acceptance,
  canceledText,
  chooseEncoding,
  HandshakeFailed,
  HandshakeReader,
  rejection,
} from './protocol/handshake.ts';
import { protocolVersion } from './protocol/protocol.ts';
import type { RawConnection, RawListener } from './transports/raw-connection.ts';

export class HubListener implements RawListener {
  readonly #raw: RawConnection;
  readonly #hub: LiveHub;
  readonly #settings: Settings;
  /** Undefined once the handshake was read. */
  #handshake: HandshakeReader | undefined;
  readonly #startedAt: number;
  #session: HubSession | undefined;

  constructor(raw: RawConnection, hub: LiveHub, settings: Settings) {
    this.#raw = raw;
    this.#hub = hub;
    this.#settings = settings;
    this.#handshake = new HandshakeReader(settings.limits.messageBytes);
    this.#startedAt = settings.now();
  }

  close(): void {
    if (this.#session === undefined) this.#raw.close(rejection(canceledText));
    else this.#session.close({ allowReconnect: true });
  }

  onData(bytes: Buffer): void {
    try {
      if (this.#session === undefined) this.#readHandshake(bytes);
      else this.#session.receive(bytes);
    } catch (error) {
      if (!(error instanceof HandshakeFailed)) this.#settings.onError(error);
      this.#raw.close(rejection(error instanceof HandshakeFailed ? error.message : canceledText));
    }
  }

  onResumed(): void {
    this.#session?.resumed();
  }

  onTooSlow(): void {
    if (this.#session === undefined) this.#raw.destroy();
    else this.#session.tooSlow();
  }

  onClosed(): void {
    this.#session?.ended();
  }

  tick(now: number): void {
    if (this.#session !== undefined) this.#session.tick(now);
    else if (now - this.#startedAt > this.#settings.intervals.handshake) this.#raw.close(rejection(canceledText));
  }

  #readHandshake(bytes: Buffer): void {
    const found = this.#handshake?.read(bytes);
    if (found === undefined) return;
    this.#handshake = undefined;
    const { request, rest } = found;
    const encoding = chooseEncoding(request, this.#settings.protocols, this.#raw.canBeBinary);
    this.#raw.canResume = this.#raw.isStateful && request.version >= protocolVersion;
    this.#raw.send(acceptance(encoding.protocol.isBinary));
    this.#session = new HubSession(this.#raw, this.#hub, encoding, this.#settings);
    this.#session.start();
    if (rest.length > 0) this.#session.receive(rest);
  }
}
