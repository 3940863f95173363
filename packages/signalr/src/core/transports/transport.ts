// What carries the bytes of a connection, and what it reports.

import type { TransportName } from '../../options.ts';
import type { Payload } from '../../payload.ts';

export interface Transport {
  readonly name: TransportName;
  /** How many messages have not left yet. */
  readonly backlog: number;
  /** Whether so much waits that the connection is to be cut. */
  readonly isFull: boolean;
  send(payload: Payload): void;
  /** Gives a sign of life that carries nothing, where there is none by itself. */
  keepAlive(): void;
  /** Stops and goes on taking what the client sends. */
  pause(): void;
  resume(): void;
  /** Ends after what was sent. `onGone` follows. */
  end(): void;
  /** Ends at once. `onGone` follows. */
  destroy(): void;
  tick(now: number): void;
}

/** Whoever a transport works for. */
export interface TransportOwner {
  onData(bytes: Buffer): void;
  /** Something has left, so that there may be room again. */
  onProgress(): void;
  /** The transport is no more; `wasLost` when it broke off without a word of the client. */
  onGone(transport: Transport, wasLost: boolean): void;
}

/** The formats of each transport, in the order of preference that clients follow. */
export const transferFormats: Readonly<Record<TransportName, readonly ('Text' | 'Binary')[]>> = {
  WebSockets: ['Text', 'Binary'],
  ServerSentEvents: ['Text'],
  LongPolling: ['Text', 'Binary'],
};
