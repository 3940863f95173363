// The interface of the classic transports, and of the connection that owns one.

import type { Guard } from '../../guard.ts';
import type { Cursor } from '../../hub.ts';
import type { TransportName } from '../../opening-request.ts';
import type { BacklogShare } from '../../sending/backlog.ts';
import type { HubPush } from '../messages.ts';

export interface ClassicTransport {
  readonly name: TransportName;
  /** Whether senders need not wait. */
  readonly hasRoom: boolean;
  /** Sends the init message to a client that has just connected. */
  sendInit(cursor: Cursor): void;
  push(push: HubPush, cursor: Cursor): void;
  /** Sends several calls in one message. */
  pushAll(pushes: readonly HubPush[], cursor: Cursor): void;
  /** Sends the cursor alone: the client has received everything up to it. */
  advance(cursor: Cursor): void;
  /** Stores a text in the client. */
  setClientState(text: string, cursor: Cursor): void;
  keepAlive(): void;
  /** Ends after a last message: with an error the client stops for good, without one it reconnects. */
  end(cursor: Cursor, error: string | undefined): void;
  /** Drops what waits, because the client does not read: it gets it again when it resumes at its cursor. */
  giveUp(): void;
  /** Ends at once. */
  destroy(): void;
  /** Whether the client has not polled for too long. */
  isAbandoned(now: number): boolean;
  tick(now: number): void;
}

/** The connection that a transport belongs to. */
export interface TransportOwner {
  /** Runs what the client has caused. */
  readonly guard: Guard;
  /** Counts what waits on the connection. */
  readonly share: BacklogShare;
  /** Some queued messages were sent, so there may be room again. */
  onProgress(): void;
  /** The transport has closed. */
  onGone(transport: ClassicTransport): void;
}

const namesOnTheWire: Readonly<Record<string, TransportName>> = {
  websockets: 'WebSockets',
  serversentevents: 'ServerSentEvents',
  longpolling: 'LongPolling',
};

/** Returns the transport that a query names, if the server offers it. */
export function transportNamed(name: string | undefined, offered: readonly TransportName[]): TransportName | undefined {
  const found = namesOnTheWire[name?.toLowerCase() ?? ''];
  return found !== undefined && offered.includes(found) ? found : undefined;
}
