// Finds the connection that an ASP.NET Core request is for, opens connections from tokens, and refuses requests that do
// not fit.

import type { ServerResponse } from 'node:http';
import type { ConnectionLimit } from '../connection-limit.ts';
import { type ConnectionToken, readToken } from '../connection-token.ts';
import type { TransportName } from '../opening-request.ts';
import type { Settings } from '../options.ts';
import { type MountRequest, RequestRefused } from '../request.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import type { CoreConnection } from './core-connection.ts';

/** The result of looking up an id: a connection of this node, or a token that may open one here. */
type Found =
  | { readonly connection: CoreConnection; readonly token?: undefined }
  | { readonly connection?: undefined; readonly token: ConnectionToken };

export class ConnectionLookup {
  readonly #settings: Settings;
  readonly #registry: ConnectionRegistry;
  readonly #connectionLimit: ConnectionLimit;
  /** Set when the server closes. */
  isClosed = false;

  constructor(settings: Settings, registry: ConnectionRegistry, connectionLimit: ConnectionLimit) {
    this.#settings = settings;
    this.#registry = registry;
    this.#connectionLimit = connectionLimit;
  }

  /** Throws when the id is that of no connection and no valid token. */
  find(id: string, { endpoint, settings }: MountRequest): Found {
    const connection = this.#registry.find(id);
    if (connection !== undefined && connection.endpoint === endpoint) return { connection };
    const token = readToken(id, endpoint.tokenScope, this.#settings.tokenKeys());
    if (token === undefined || !this.#registry.mayOpen(id, token, settings)) throw noSuchConnection();
    return { token };
  }

  /**
   * Like `find`, but forwards requests of connections negotiated on another node and then resolves to undefined: the
   * client's other requests can find only the node named in the token.
   */
  async findOrForward(request: MountRequest, response: ServerResponse): Promise<Found | undefined> {
    const id = requireId(request);
    const { endpoint } = request;
    if (this.#registry.find(id) === undefined) {
      const nodeId = readToken(id, endpoint.tokenScope, this.#settings.tokenKeys())?.nodeId ?? this.#settings.nodeId;
      const { forward } = this.#settings;
      const isElsewhere = forward !== undefined && nodeId !== this.#settings.nodeId;
      if (isElsewhere && (await forward(nodeId, request.raw, response))) return undefined;
    }
    return this.find(id, request);
  }

  /** Throws unless the transport may serve the connection and the request is of the principal that negotiated it. */
  check(found: Found | undefined, transport: TransportName, request: MountRequest): void {
    if (!request.settings.transports.includes(transport)) {
      throw new RequestRefused(404, `${transport} transport not supported by this end point type`);
    }
    const current = found?.connection?.raw.transportName;
    if (current !== undefined && current !== transport) {
      throw new RequestRefused(400, 'Cannot change transports mid-connection');
    }
    this.checkPrincipal(found, request);
  }

  /** Throws unless the request is of the principal that negotiated; its newer token replaces the older one. */
  checkPrincipal(found: Found | undefined, { principal }: MountRequest): void {
    const expected = found?.connection?.raw.principal.id ?? found?.token?.principalId ?? principal.id;
    if (expected !== principal.id) throw new RequestRefused(403, 'The user associated with this connection changed.');
    if (found?.connection !== undefined) found.connection.raw.principal = principal;
  }

  /** Throws when the server is closing or the principal is at its limit. */
  checkOpen({ principal }: MountRequest): void {
    if (this.isClosed) throw new RequestRefused(503, 'The server is going down.');
    this.#connectionLimit.check(principal);
  }

  /** Returns the connection that waits for its first transport, or opens it. */
  open(found: Found | undefined, request: MountRequest): CoreConnection {
    if (found?.connection !== undefined) return found.connection;
    if (found === undefined) return this.#registry.openUnnegotiated(request);
    return this.#registry.open(request.query.get('id') ?? '', found.token, request);
  }

  /**
   * Returns the connection of a POST; opens it if the client posts before it polls. Only the node that negotiated does
   * that: the poll may reach another node, which looks for the connection there.
   */
  openForPost(found: Found, request: MountRequest): CoreConnection {
    if (found.connection === undefined) {
      if (found.token.nodeId !== this.#settings.nodeId) throw noSuchConnection();
      this.checkOpen(request);
    }
    return this.open(found, request);
  }
}

function requireId({ query }: MountRequest): string {
  const id = query.get('id');
  if (id === undefined) throw new RequestRefused(400, 'Connection ID required');
  return id;
}

export function noSuchConnection(): RequestRefused {
  return new RequestRefused(404, 'No Connection with that ID');
}
