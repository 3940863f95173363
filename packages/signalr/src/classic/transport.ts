// What carries messages to a classic client, and what it reports.

import type { Cursor } from '../hub.ts';
import type { TransportName } from '../options.ts';
import type { HubPush } from './messages.ts';

export interface ClassicTransport {
  readonly name: TransportName;
  /** How many messages have not left yet. */
  readonly backlog: number;
  /** Whether so much waits that the transport is to be given up. */
  readonly isFull: boolean;
  /** Tells a client that has just connected that it is. */
  greet(cursor: Cursor): void;
  push(push: HubPush, cursor: Cursor): void;
  /** Several at once, none of which can be too much. */
  pushAll(pushes: readonly HubPush[], cursor: Cursor): void;
  /** Says that the client has got everything up to here. */
  advance(cursor: Cursor): void;
  /** Leaves a text with the client. */
  setClientState(text: string, cursor: Cursor): void;
  keepAlive(): void;
  /** Ends after a last message: an error stops the client for good, without one it is asked to come back. */
  end(cursor: Cursor, error: string | undefined): void;
  /** Ends at once. */
  destroy(): void;
  /** Whether the client has not been there for too long. */
  isAbandoned(now: number): boolean;
  tick(now: number): void;
}

/** Whoever a transport works for. */
export interface TransportOwner {
  /** Something has left, so that there may be room again. */
  onProgress(): void;
  /** The transport is no more. */
  onGone(transport: ClassicTransport): void;
}

const namesOnTheWire: Readonly<Record<string, TransportName>> = {
  websockets: 'WebSockets',
  serversentevents: 'ServerSentEvents',
  longpolling: 'LongPolling',
};

/** The transport of that name in a query, if it is one that is offered. */
export function transportNamed(name: string | undefined, offered: readonly TransportName[]): TransportName | undefined {
  const found = namesOnTheWire[name?.toLowerCase() ?? ''];
  return found !== undefined && offered.includes(found) ? found : undefined;
}
