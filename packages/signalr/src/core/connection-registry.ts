// The ASP.NET Core connections of this node by token, and the tokens that were used.

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
  /** Token → the time at which it expires anyway, in the order in which the tokens were used. */
  readonly #usedTokens = new Map<string, number>();

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

  /** Returns whether a token may open a connection here: it has not expired and has opened none yet. */
  mayOpen(text: string, { issuedAt }: ConnectionToken): boolean {
    const age = this.#settings.wallClock() - issuedAt;
    return age <= this.#settings.intervals.tokenLifetime && !this.#usedTokens.has(text) && !this.#connections.has(text);
  }

  /** Opens a connection that was negotiated, here or on another node. */
  open(text: string, token: ConnectionToken, endpoint: Endpoint, principal: Principal): CoreConnection {
    return this.#add(text, { id: publicId(text, token), isStateful: token.isStateful }, endpoint, principal);
  }

  /** Opens a connection of a client that did not negotiate. */
  openUnnegotiated(endpoint: Endpoint, principal: Principal): CoreConnection {
    const id = makeConnectionId();
    return this.#add(id, { id, isStateful: false }, endpoint, principal);
  }

  tick(now: number): void {
    for (const connection of this.#connections.values()) connection.raw.tick(now);
    for (const [token, tooOldAt] of this.#usedTokens) {
      if (now < tooOldAt) return;
      this.#usedTokens.delete(token);
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
      this.#usedTokens.set(key, now() + intervals.tokenLifetime);
    };
    const raw = new RawConnection({ id, isStateful, principal, now, disconnectTimeout: intervals.disconnect, onGone });
    const connection = new CoreConnection(raw, endpoint, this.#settings);
    this.#connections.set(key, connection);
    return connection;
  }
}

/** In version 0 of negotiation the public id is the token. */
export function publicId(text: string, { connectionId, version }: ConnectionToken): string {
  return version === 0 ? text : connectionId;
}
