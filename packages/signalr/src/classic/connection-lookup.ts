// Finds the connection that a classic request is for, and refuses requests that do not fit it.

import type { ServerResponse } from 'node:http';
import type { ConnectionLimit } from '../connection-limit.ts';
import { type ConnectionToken, readToken } from '../connection-token.ts';
import { hubsOf } from '../live/endpoint.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { TransportName } from '../opening-request.ts';
import type { Settings } from '../options.ts';
import { type MountRequest, RequestRefused } from '../request.ts';
import type { ClassicConnection } from './classic-connection.ts';
import { subscribedHubs } from './connection-data.ts';
import type { ConnectionRegistry } from './connection-registry.ts';
import { hasStart } from './protocol-version.ts';
import { transportNamed } from './transports/transport.ts';

/** A request that names a transport and a connection; the connection may not be on this node. */
export type ConnectionRequest = {
  readonly connectionId: string;
  readonly transport: TransportName;
  /** The hubs that the client subscribed to. */
  readonly subscribed: readonly LiveHub[];
  readonly connection: ClassicConnection | undefined;
  /** Whether the client will send no start request: its protocol has none, or the request may go to another node. */
  readonly startsAtOnce: boolean;
};

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

  lookUp(request: MountRequest): ConnectionRequest {
    const { query, endpoint, principal, settings } = request;
    const transport = transportNamed(query.get('transport'), settings.transports);
    if (transport === undefined) throw new RequestRefused(400, 'Protocol error: Unknown transport.');
    const token = this.#tokenOf(request);
    if (token.principalId !== principal.id) {
      const rule = 'The user identity cannot change during an active SignalR connection.';
      throw new RequestRefused(403, `Unrecognized user identity. ${rule}`);
    }
    const subscribed = subscribedHubs(query.get('connectionData'), hubsOf(endpoint));
    const connection = this.#registry.find(token.connectionId);
    if (connection !== undefined && connection.endpoint.tokenScope !== endpoint.tokenScope) throw badToken();
    // The newer token of the same principal replaces the older one.
    if (connection !== undefined) connection.principal = principal;
    const startsAtOnce = !hasStart(query.get('clientProtocol')) || token.nodeId !== this.#settings.nodeId;
    return { connectionId: token.connectionId, transport, subscribed, connection, startsAtOnce };
  }

  /**
   * Like `lookUp`, but forwards requests of connections negotiated on another node and then resolves to undefined: the
   * client's other requests can find only the node named in the token.
   */
  async lookUpOrForward(request: MountRequest, response: ServerResponse): Promise<ConnectionRequest | undefined> {
    const found = this.lookUp(request);
    const { nodeId } = this.#tokenOf(request);
    const { forward } = this.#settings;
    const isElsewhere = found.connection === undefined && nodeId !== this.#settings.nodeId && forward !== undefined;
    return isElsewhere && (await forward(nodeId, request.raw, response)) ? undefined : found;
  }

  /** Returns the connection of a request; opens it if it is new, was on another node, or existed before a restart. */
  openConnection({ connectionId, subscribed }: ConnectionRequest, request: MountRequest): ClassicConnection {
    return this.#registry.find(connectionId) ?? this.#registry.open(connectionId, subscribed, request);
  }

  /** Throws when the server is closing, or when the principal is at its limit and the connection would be a new one. */
  checkOpen({ principal }: MountRequest, found?: ConnectionRequest): void {
    if (this.isClosed) throw new RequestRefused(503, 'The server is going down.');
    if (found?.connection === undefined) this.#connectionLimit.check(principal);
  }

  #tokenOf({ query, endpoint }: MountRequest): ConnectionToken {
    const text = query.get('connectionToken');
    if (text === undefined) throw new RequestRefused(400, 'Protocol error: Missing connection token.');
    const token = readToken(text, endpoint.tokenScope, this.#settings.tokenKeys());
    if (token === undefined) throw badToken();
    return token;
  }
}

function badToken(): RequestRefused {
  return new RequestRefused(400, 'The ConnectionId is in the incorrect format.');
}
