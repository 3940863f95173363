// The interface of the ASP.NET Core transports, and of the connection that owns one.

import type { Guard } from '../../guard.ts';
import type { TransportName } from '../../opening-request.ts';
import type { BacklogShare } from '../../sending/backlog.ts';
import type { Payload } from '../../sending/payload.ts';

export interface Transport {
  readonly name: TransportName;
  /** Whether senders need not wait. */
  readonly hasRoom: boolean;
  send(payload: Payload): void;
  /** Drops the messages that wait, because the client does not read. */
  discard(): void;
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
  /** Runs what the client has caused. */
  readonly guard: Guard;
  /** Counts what waits on the connection. */
  readonly share: BacklogShare;
  onData(bytes: Buffer): void;
  /** Some queued messages were sent, so there may be room again. */
  onProgress(): void;
  /** Something waits, and the client has taken nothing for too long. */
  onStalled(transport: Transport): void;
  /** The transport has closed; `wasLost` when it broke without a close frame of the client. */
  onGone(transport: Transport, wasLost: boolean): void;
}

/** The formats of each transport, the transports in the order of preference that clients follow. */
export const transferFormats: Readonly<Record<TransportName, readonly ('Text' | 'Binary')[]>> = {
  WebSockets: ['Text', 'Binary'],
  ServerSentEvents: ['Text'],
  LongPolling: ['Text', 'Binary'],
};
