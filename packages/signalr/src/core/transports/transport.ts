// The interface of the ASP.NET Core transports, and of the connection that owns one.

import type { TransportName } from '../../opening-request.ts';
import type { Payload } from '../../payload.ts';

export interface Transport {
  readonly name: TransportName;
  /** The number of messages not yet sent. */
  readonly backlog: number;
  /** Whether so much is queued that the connection must be cut. */
  readonly isFull: boolean;
  send(payload: Payload): void;
  /** Sends an empty keep-alive where the transport has none of its own. */
  keepAlive(): void;
  /** Stops reading from the client; `resume` reads again. */
  pause(): void;
  resume(): void;
  /** Ends after everything sent so far. `onGone` follows. */
  end(): void;
  /** Ends at once. `onGone` follows. */
  destroy(): void;
  tick(now: number): void;
}

/** The connection that a transport belongs to. */
export interface TransportOwner {
  onData(bytes: Buffer): void;
  /** Some queued messages were sent, so there may be room again. */
  onProgress(): void;
  /** The transport has closed; `wasLost` when it broke without a close frame of the client. */
  onGone(transport: Transport, wasLost: boolean): void;
}

/** The formats of each transport, the transports in the order of preference that clients follow. */
export const transferFormats: Readonly<Record<TransportName, readonly ('Text' | 'Binary')[]>> = {
  WebSockets: ['Text', 'Binary'],
  ServerSentEvents: ['Text'],
  LongPolling: ['Text', 'Binary'],
};
