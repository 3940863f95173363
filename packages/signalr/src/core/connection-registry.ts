// The ASP.NET Core connections of this node by token, and the tokens that were used.

import type { ConnectionLimit } from '../connection-limit.ts';
import { type ConnectionToken, makeConnectionId } from '../connection-token.ts';
import type { Settings } from '../options.ts';
import type { MountRequest } from '../request.ts';
import { CoreConnection } from './core-connection.ts';
import { RawConnection } from './transports/raw-connection.ts';

export class ConnectionRegistry {
  readonly #connectionLimit: ConnectionLimit;
  readonly #connections = new Map<string, CoreConnection>();
  /** Token → the time at which it expires anyway. */
  readonly #usedTokens = new Map<string, number>();

  constructor(connectionLimit: ConnectionLimit) {
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
  mayOpen(text: string, { issuedAt }: ConnectionToken, { wallClock, intervals }: Settings): boolean {
    const isFresh = wallClock() - issuedAt <= intervals.tokenLifetime;
    return isFresh && !this.#usedTokens.has(text) && !this.#connections.has(text);
  }

  /** Opens a connection that was negotiated, here or on another node. */
  open(text: string, token: ConnectionToken, request: MountRequest): CoreConnection {
    return this.#add(text, { id: publicId(text, token), isStateful: token.isStateful }, request);
  }

  /** Opens a connection of a client that did not negotiate. */
  openUnnegotiated(request: MountRequest): CoreConnection {
    const id = makeConnectionId();
    return this.#add(id, { id, isStateful: false }, request);
  }

  tick(now: number): void {
    for (const connection of this.#connections.values()) connection.raw.guard(() => connection.raw.tick(now));
    for (const [token, tooOldAt] of this.#usedTokens) {
      if (now >= tooOldAt) this.#usedTokens.delete(token);
    }
  }

  #add(
    key: string,
    { id, isStateful }: { readonly id: string; readonly isStateful: boolean },
    { endpoint, principal, settings }: MountRequest,
  ): CoreConnection {
    const { intervals, now, backlog, onError } = settings;
    this.#connectionLimit.enter(principal);
    const onGone = () => {
      if (this.#connections.delete(key)) this.#connectionLimit.leave(principal);
      this.#usedTokens.set(key, now() + intervals.tokenLifetime);
    };
    const raw = new RawConnection({
      ...{ id, isStateful, principal, now, backlog, onGone, onError },
      disconnectTimeout: intervals.disconnect,
    });
    const connection = new CoreConnection(raw, endpoint, settings);
    this.#connections.set(key, connection);
    return connection;
  }
}

/** In version 0 of negotiation the public id is the token. */
export function publicId(text: string, { connectionId, version }: ConnectionToken): string {
  return version === 0 ? text : connectionId;
}
