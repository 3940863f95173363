// What a hub is to those who write one: its methods, and the connections it talks to.

import type { Principal } from './principal.ts';

/** An error whose sentence the client may read; of any other error it learns nothing but that there was one. */
export class HubException extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'HubException';
  }
}

/** One client of a hub, whatever generation, transport and protocol it speaks. */
export interface HubConnection {
  readonly id: string;
  readonly principal: Principal;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
  /** Calls a function of the client that returns nothing. Throws when the arguments cannot be written. */
  send(target: string, args: readonly unknown[]): void;
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
  /** Runs before any method; the connection is refused when it fails. */
  onConnected?(connection: HubConnection): unknown;
  onDisconnected?(connection: HubConnection, error: Error | undefined): unknown;
};

/** Checks what types cannot say: no two names may differ in case alone. */
export function defineHub(definition: HubDefinition): HubDefinition {
  const names = [...Object.keys(definition.methods ?? {}), ...Object.keys(definition.streams ?? {})];
  const distinct = new Set(names.map((name) => name.toLowerCase()));
  if (distinct.size < names.length) throw new Error(`Hub ${definition.name} has two methods of one name`);
  return definition;
}
