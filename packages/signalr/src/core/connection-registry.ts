// The connections of this node by their token, and the tokens that have been used up.

import type { ConnectionLimit } from '../connection-limit.ts';
import { type ConnectionToken, makeConnectionId } from '../connection-token.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Settings } from '../options.ts';
import type { Principal } from '../principal.ts';
import { CoreConnection } from './core-connection.ts';
import { RawConnection } from './transports/raw-connection.ts';

export class ConnectionRegistry {
  readonly #settings: Settings;
  readonly #connectionLimit: ConnectionLimit;
  readonly #connections = new Map<string, CoreConnection>();
  /** Token → when it is too old anyway. In the order in which they were used up. */
  readonly #usedUp = new Map<string, number>();

  constructor(settings: Settings, connectionLimit: ConnectionLimit) {
    this.#settings = settings;
    this.#connectionLimit = connectionLimit;
  }

  get size(): number {
    return this.#connections.size;
  }

  all(): CoreConnection[] {
    return [...this.#connections.values()];
  }

  find(token: string): CoreConnection | undefined {
    return this.#connections.get(token);
  }

  /** Whether a token may open a connection here: it is young, and has not opened one yet. */
  mayOpen(text: string, { issuedAt }: ConnectionToken): boolean {
    const age = this.#settings.now() - issuedAt;
    return age <= this.#settings.intervals.tokenLifetime && !this.#usedUp.has(text) && !this.#connections.has(text);
  }

  /** A connection that was negotiated, here or on another node. */
  open(text: string, token: ConnectionToken, endpoint: Endpoint, principal: Principal): CoreConnection {
    return this.#add(text, { id: publicId(text, token), isStateful: token.isStateful }, endpoint, principal);
  }

  /** A connection of a client that did not negotiate. */
  openUnnegotiated(endpoint: Endpoint, principal: Principal): CoreConnection {
    const id = makeConnectionId();
    return this.#add(id, { id, isStateful: false }, endpoint, principal);
  }

  tick(now: number): void {
    for (const connection of this.#connections.values()) connection.raw.tick(now);
    for (const [token, tooOldAt] of this.#usedUp) {
      if (now < tooOldAt) return;
      this.#usedUp.delete(token);
    }
  }

  #add(
    key: string,
    { id, isStateful }: { readonly id: string; readonly isStateful: boolean },
    endpoint: Endpoint,
    principal: Principal,
  ): CoreConnection {
    const { intervals, now } = this.#settings;
    this.#connectionLimit.enter(principal);
    const onGone = () => {
      if (this.#connections.delete(key)) this.#connectionLimit.leave(principal);
      this.#usedUp.set(key, now() + intervals.tokenLifetime);
    };
    const raw = new RawConnection({ id, isStateful, principal, now, disconnectTimeout: intervals.disconnect, onGone });
    const connection = new CoreConnection(raw, endpoint, this.#settings);
    this.#connections.set(key, connection);
    return connection;
  }
}

/** In version 0 of negotiation the public id and the token are one. */
export function publicId(text: string, { connectionId, version }: ConnectionToken): string {
  return version === 0 ? text : connectionId;
}
