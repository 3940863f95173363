// The types a hub is written with: its definition, the calls it gets, and the connections it sends to.

import type { OpeningRequest } from './opening-request.ts';
import type { Principal } from './principal.ts';

/** An error whose message is sent to the client; of any other error the client learns only that there was one. */
export class HubException extends Error {
  /** Sent as JSON to clients of classic ASP.NET SignalR 2; ASP.NET Core SignalR has no field for it. */
  readonly data: unknown;

  constructor(message: string, data?: unknown) {
    super(message);
    this.name = 'HubException';
    this.data = data;
  }
}

/**
 * A position in the messages of a hub, opaque to everything but the hub. Clients of classic ASP.NET SignalR 2 store the
 * last one they received and send it when they reconnect; clients of ASP.NET Core SignalR do not know cursors.
 */
export type Cursor = string;

/** One client of a hub, of either protocol family and on any transport. */
export interface HubConnection {
  readonly id: string;
  /** The holder of the newest token that the client sent; its `id` never changes. */
  readonly principal: Principal;
  /** The request that opened the connection's current transport. */
  readonly request: OpeningRequest;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
  /**
   * Calls a function of the client that returns nothing. Throws when the arguments cannot be serialized. A client that
   * has received a call with a `cursor` has received everything up to that cursor.
   */
  send(target: string, args: readonly unknown[], cursor?: Cursor): void;
  /**
   * From now on every call with a cursor is followed by a call of `target` with that cursor, both in one message, so that
   * the client gets both or none. Undefined on connections whose protocol transmits cursors itself.
   */
  announceCursors?(target: string): void;
  /**
   * Stores a text in the client, replacing the one before. The client sends it back when it reconnects, also to another
   * server. Undefined on connections whose protocol cannot do this.
   */
  setClientState?(text: string): void;
  /** Sends the cursor without a call: the client has received everything up to it. */
  advance(cursor: Cursor): void;
  /** Resolves when the send queue has room for more, or the connection has ended. */
  untilSent(): Promise<void>;
  /** Calls a function of the client and resolves to its result; aborting the signal stops the wait. */
  invoke(target: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** Ends the connection after everything sent so far; `allowReconnect` asks the client to reconnect. */
  close(options?: CloseOptions): void;
  joinGroup(name: string): void;
  /** A connection that ends leaves its groups by itself. */
  leaveGroup(name: string): void;
}

export type CloseOptions = { readonly allowReconnect?: boolean; readonly error?: string };

/** Selects the connections that a call is sent to. */
export type ConnectionFilter = (connection: HubConnection) => boolean;

/** The connections of all lists together, or every connection if there is no list; without the excepted ones. */
export type Audience = {
  /** Ids of connections. */
  readonly connections?: readonly string[];
  /** Ids of principals, all of whose connections are meant. */
  readonly users?: readonly string[];
  /** Names of groups. */
  readonly groups?: readonly string[];
  /** Ids of connections. */
  readonly except?: readonly string[];
};

/** A mounted hub as the rest of the application sees it: its connections, and sending to many of them. */
export interface HubContext {
  /** The number of connections. */
  readonly size: number;
  connections(): Iterable<HubConnection>;
  /** The connection with that id, if it is here and now connected. */
  connection(id: string): HubConnection | undefined;
  /**
   * Calls a function of every client connected now, or of those that pass the filter. Resolves when the call was written
   * to all of them; rejects when the arguments cannot be serialized. The cursor is as in `HubConnection.send`.
   */
  broadcast(target: string, args: readonly unknown[], filter?: ConnectionFilter, cursor?: Cursor): Promise<void>;
  /** Like `broadcast`, to the connections that belong to the audience now. */
  sendTo(audience: Audience, target: string, args: readonly unknown[]): Promise<void>;
}

/** One call of a hub method. */
export type HubCall = {
  readonly connection: HubConnection;
  /** The streams that the client uploads with this call, in the order of its arguments. */
  readonly uploads: readonly AsyncIterable<unknown>[];
  /** Aborted when the client cancels the call or the connection ends. */
  readonly signal: AbortSignal;
};

/**
 * One parameter of a method: the kind of its values, of which none is null, or a function that accepts them. `stream` is
 * an upload; it is in `uploads` and not among the arguments.
 */
export type Parameter =
  | 'any'
  | 'boolean'
  | 'bytes'
  | 'list'
  | 'number'
  | 'object'
  | 'stream'
  | 'string'
  | ((value: unknown) => boolean);

/** A method that declares its parameters: calls that do not fit are refused in the words of ASP.NET. */
type Declared<Result> = {
  readonly parameters: readonly Parameter[];
  run(call: HubCall, ...args: unknown[]): Result;
};

export type HubMethod = ((call: HubCall, ...args: unknown[]) => unknown) | Declared<unknown>;
export type HubStream =
  | ((call: HubCall, ...args: unknown[]) => AsyncIterable<unknown>)
  | Declared<AsyncIterable<unknown>>;

export type HubDefinition = {
  readonly name: string;
  /** Clients may write the names in any case. */
  readonly methods?: Readonly<Record<string, HubMethod>>;
  /** Methods whose yielded items are streamed to the client. */
  readonly streams?: Readonly<Record<string, HubStream>>;
  /**
   * Runs before any method; the connection is refused when it throws. `cursor` is the `currentCursor` that the client
   * received when it connected: the hub must send everything that came after it.
   */
  onConnected?(connection: HubConnection, cursor?: Cursor): unknown;
  /** Lets clients resume at a cursor. Without it, each connection buffers its last messages instead. */
  readonly recovery?: {
    currentCursor(): Promise<Cursor>;
    /**
     * Called instead of `onConnected` for a client that reconnects, whether its connection is known or was made before a
     * restart: the hub sends everything after the cursor. From this call on until it has caught up, the hub must send
     * nothing else to the connection, or the client gets messages twice. `clientState` is the last `setClientState`.
     */
    onResumed(connection: HubConnection, cursor: Cursor, clientState?: string): unknown;
  };
  onDisconnected?(connection: HubConnection, error: Error | undefined): unknown;
};

/** Checks that no two method names differ in case alone, which the types cannot express. */
export function defineHub(definition: HubDefinition): HubDefinition {
  const names = [...Object.keys(definition.methods ?? {}), ...Object.keys(definition.streams ?? {})];
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  if (distinct.size < names.length) throw new Error(`Hub ${definition.name} has two methods of one name`);
  return definition;
}
