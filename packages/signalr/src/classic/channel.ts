// The channels of a classic connection, each with a cursor of its own, and the connection as they use it.

import type { CloseOptions, Cursor } from '../hub.ts';
import type { OpeningRequest } from '../opening-request.ts';
import type { Principal } from '../principal.ts';
import type { HubPush } from './messages.ts';

/** One hub that the client subscribed to, or a persistent connection. */
export interface Channel {
  /** The cursor of a client that has received everything sent so far. */
  readonly cursor: Cursor;
  /** The state stored in the client, or on its way there, after its version number; empty for none. */
  readonly clientState: string;
  /** Returns the cursor for a client that has just connected. */
  currentCursor(): Cursor | Promise<Cursor>;
  /** The client starts at this cursor. */
  beginAt(cursor: Cursor): void;
  /** Connects the client, once; resolves to false when it was refused. */
  start(): Promise<boolean>;
  /** The client is back, with this cursor and this state; nothing sent before may be sent from now on. */
  rewind(cursor: Cursor, clientState: string): void;
  /** Sends everything after the cursor of the last `rewind`. */
  resume(): void;
  /** The connection has ended. */
  end(): void;
}

/** The channels of a client, and the handler of the messages that it sends. */
export interface Service {
  readonly channels: readonly Channel[];
  /** Resolves to the response to a message of the client, if there is one. */
  handle(text: string): Promise<string | undefined>;
}

/** The connection as its channels use it. */
export interface Carrier {
  readonly id: string;
  readonly principal: Principal;
  readonly request: OpeningRequest;
  readonly closed: AbortSignal;
  /** Connects all channels, once; resolves to false when one of them refused the client. */
  start(): Promise<boolean>;
  /** Sends a message; the cursor of its channel includes it already. */
  push(push: HubPush): void;
  /** Sends messages that the client missed. */
  pushAll(pushes: readonly HubPush[]): void;
  /** Sends the cursors alone. */
  sendCursor(): void;
  /** Sends the states that clients store. */
  sendClientState(): void;
  untilSent(): Promise<void>;
  close(options?: CloseOptions): void;
  /** Runs the work; if it throws, destroys the connection and resolves to false. */
  attempt(work: () => unknown): Promise<boolean>;
}

/** Stands for the cursors of a client without channels: clients do not accept an empty one. */
const noParts = '-';

/** Joins the cursors or states of several channels into the one text that a client stores; that of one stays as it is. */
export function joinParts(parts: readonly string[]): string {
  const [first = noParts, ...others] = parts;
  return others.length === 0 ? first : parts.map(encodeURIComponent).join('|');
}

/** Returns the parts of a joined text; undefined when they are not that many or malformed. */
export function splitParts(text: string, count: number): readonly string[] | undefined {
  if (count < 2) return [text].slice(0, count);
  const parts = text.split('|');
  if (parts.length !== count) return undefined;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Returns the version of a stored state: how often the state was set; 0 for none. */
export function versionOf(clientState: string): number {
  return Number.parseInt(clientState, 10) || 0;
}
