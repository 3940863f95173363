// What a hub is to those who write one: its methods, and the connections it talks to.

import type { Principal } from './principal.ts';

/** An error whose sentence the client may read; of any other error it learns nothing but that there was one. */
export class HubException extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'HubException';
  }
}

/**
 * A position in what the hub has to tell, opaque to all but the hub. Clients of the classic generation keep the last one
 * and come back with it; others know nothing of it.
 */
export type Cursor = string;

/** One client of a hub, whatever generation, transport and protocol it speaks. */
export interface HubConnection {
  readonly id: string;
  readonly principal: Principal;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
  /**
   * Calls a function of the client that returns nothing. Throws when the arguments cannot be written. `cursor` says: who
   * has got this has got everything up to here.
   */
  send(target: string, args: readonly unknown[], cursor?: Cursor): void;
  /**
   * From now on every call with a cursor comes with a call of `target` that has the cursor, both in one message: the client
   * gets both or none. Where it is missing, clients have cursors of their own.
   */
  announceCursors?(target: string): void;
  /**
   * Leaves a text with the client instead of the one before. The client brings it along when it comes back, be it to
   * another server. Where it is missing, clients keep nothing.
   */
  entrust?(text: string): void;
  /** Says without a call that the client has got everything up to here. */
  advance(cursor: Cursor): void;
  /** Resolves when what was sent has left so far that there is room for more, or the connection has ended. */
  untilSent(): Promise<void>;
  /** Calls a function of the client and waits for what it returns; the signal gives up waiting. */
  invoke(target: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** Ends the connection after what was sent; the client may be told to come back. */
  close(options?: CloseOptions): void;
  /** Groups are forgotten when the connection ends. */
  joinGroup(name: string): void;
  leaveGroup(name: string): void;
}

export type CloseOptions = { readonly allowReconnect?: boolean; readonly error?: string };

/** One call of a hub method. */
export type HubCall = {
  readonly connection: HubConnection;
  /** What the client streams up with this call, in the order of its arguments. */
  readonly uploads: readonly AsyncIterable<unknown>[];
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
};

export type HubMethod = (call: HubCall, ...args: unknown[]) => unknown;
export type HubStream = (call: HubCall, ...args: unknown[]) => AsyncIterable<unknown>;

export type HubDefinition = {
  readonly name: string;
  /** Clients find them in any case. */
  readonly methods?: Readonly<Record<string, HubMethod>>;
  /** Methods that stream down what they yield. */
  readonly streams?: Readonly<Record<string, HubStream>>;
  /**
   * Runs before any method; the connection is refused when it fails. A client that was given the `currentCursor` when it
   * connected is to be told what comes after it.
   */
  onConnected?(connection: HubConnection, cursor?: Cursor): unknown;
  /** Makes clients able to come back with a cursor. Without it, the last messages of each connection are kept instead. */
  readonly recovery?: {
    currentCursor(): Promise<Cursor>;
    /**
     * Instead of `onConnected` for a client that comes back, be its connection known or from before a restart: the hub
     * sends what came after the cursor. From the moment of this call on it must hold back everything else until it is
     * level with the cursor, or the client is told twice. `entrusted` is what was left with the client, if anything.
     */
    onResumed(connection: HubConnection, cursor: Cursor, entrusted?: string): unknown;
  };
  onDisconnected?(connection: HubConnection, error: Error | undefined): unknown;
};

/** Checks what types cannot say: no two names may differ in case alone. */
export function defineHub(definition: HubDefinition): HubDefinition {
  const names = [...Object.keys(definition.methods ?? {}), ...Object.keys(definition.streams ?? {})];
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  if (distinct.size < names.length) throw new Error(`Hub ${definition.name} has two methods of one name`);
  return definition;
}
