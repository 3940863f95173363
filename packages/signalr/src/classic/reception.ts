// Finds the connection a request is for, and refuses what does not fit it.

import type { ServerResponse } from 'node:http';
import type { ConnectionLimit } from '../connection-limit.ts';
import { type ConnectionToken, readToken } from '../connection-token.ts';
import type { Settings, TransportName } from '../options.ts';
import { RequestRefused } from '../request.ts';
import type { ClassicConnection } from './classic-connection.ts';
import { namesHub } from './connection-data.ts';
import type { HubRequest } from './hub-request.ts';
import { hasStart } from './protocol-version.ts';
import type { Registry } from './registry.ts';
import { transportNamed } from './transport.ts';

/** A request that names a transport and a connection, which this node may not have. */
export type Visit = {
  readonly connectionId: string;
  readonly transport: TransportName;
  readonly isListening: boolean;
  readonly connection: ClassicConnection | undefined;
  /** Whether no request will come that says the client is ready: none is known to it, or it may go to another node. */
  readonly startsAtOnce: boolean;
};

export class Reception {
  readonly #settings: Settings;
  readonly #registry: Registry;
  readonly #connectionLimit: ConnectionLimit;
  /** Set when the server goes down. */
  isClosed = false;

  constructor(settings: Settings, registry: Registry, connectionLimit: ConnectionLimit) {
    this.#settings = settings;
    this.#registry = registry;
    this.#connectionLimit = connectionLimit;
  }

  receive(request: HubRequest): Visit {
    const { query, hub, principal } = request;
    const transport = transportNamed(query.get('transport'), this.#settings.transports);
    if (transport === undefined) throw new RequestRefused(400, 'Protocol error: Unknown transport.');
    const token = this.#tokenOf(request);
    if (token.principalId !== principal.id) {
      const rule = 'The user identity cannot change during an active SignalR connection.';
      throw new RequestRefused(403, `Unrecognized user identity. ${rule}`);
    }
    const isListening = namesHub(query.get('connectionData'), hub.definition.name);
    const connection = this.#registry.find(token.connectionId);
    if (connection !== undefined && connection.hub !== hub) throw badToken();
    // A newer token of theirs takes the place of the older one.
    if (connection !== undefined) connection.principal = principal;
    const startsAtOnce = !hasStart(query.get('clientProtocol')) || token.nodeId !== this.#settings.nodeId;
    return { connectionId: token.connectionId, transport, isListening, connection, startsAtOnce };
  }

  /**
   * Like receive, but what was negotiated on another node is dealt with there if it can be, and undefined returned: only
   * the node in the token can be found again by the client's other requests.
   */
  async receiveOrForward(request: HubRequest, response: ServerResponse): Promise<Visit | undefined> {
    const visit = this.receive(request);
    const { nodeId } = this.#tokenOf(request);
    const { forward } = this.#settings;
    const isElsewhere = visit.connection === undefined && nodeId !== this.#settings.nodeId && forward !== undefined;
    return isElsewhere && (await forward(nodeId, request.raw, response)) ? undefined : visit;
  }

  /** The connection of a visit. One that is not here was on another node, or before a restart, or is new. */
  connectionOf({ connectionId, isListening }: Visit, request: HubRequest): ClassicConnection {
    return this.#registry.find(connectionId) ?? this.#registry.open(connectionId, isListening, request);
  }

  /** Throws when no new connections are taken, or none from those who ask and do not have this one yet. */
  checkOpen({ principal }: HubRequest, visit?: Visit): void {
    if (this.isClosed) throw new RequestRefused(503, 'The server is going down.');
    if (visit?.connection === undefined) this.#connectionLimit.checkRoomFor(principal);
  }

  #tokenOf({ query, hub }: HubRequest): ConnectionToken {
    const text = query.get('connectionToken');
    if (text === undefined) throw new RequestRefused(400, 'Protocol error: Missing connection token.');
    const token = readToken(text, hub.tokenScope, this.#settings.tokenKeys());
    if (token === undefined) throw badToken();
    return token;
  }
}

function badToken(): RequestRefused {
  return new RequestRefused(400, 'The ConnectionId is in the incorrect format.');
}
