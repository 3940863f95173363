// The classic connections of this node by id, including those that are closing.

import type { ConnectionLimit } from '../connection-limit.ts';
import type { HubDefinition } from '../hub.ts';
import { hubsOf } from '../live/endpoint.ts';
import { LiveConnections } from '../live/live-connections.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { MountRequest } from '../request.ts';
import type { Carrier, Service } from './channel.ts';
import { ClassicConnection } from './classic-connection.ts';
import { HubService } from './hub-service.ts';
import { HubPushEncoding } from './messages.ts';
import { PersistentSession } from './persistent-session.ts';

export class ConnectionRegistry {
  readonly #connectionLimit: ConnectionLimit;
  readonly #open = new Map<string, ClassicConnection>();
  readonly #all = new Set<ClassicConnection>();
  readonly #encodings = new Map<HubDefinition, HubPushEncoding>();

  constructor(connectionLimit: ConnectionLimit) {
    this.#connectionLimit = connectionLimit;
  }

  get size(): number {
    return this.#all.size;
  }

  all(): ClassicConnection[] {
    return [...this.#all];
  }

  find(id: string): ClassicConnection | undefined {
    return this.#open.get(id);
  }

  /** Opens a connection of a client that subscribed to these hubs. */
  open(id: string, subscribed: readonly LiveHub[], request: MountRequest): ClassicConnection {
    const { endpoint, principal, settings } = request;
    this.#connectionLimit.enter(principal);
    const connection: ClassicConnection = new ClassicConnection({
      ...{ id, endpoint, principal, settings },
      serve: (carrier) => this.#serviceFor(carrier, subscribed, request),
      onEnded: () => {
        if (this.#open.get(id) === connection) this.#open.delete(id);
      },
      onGone: () => {
        if (this.#all.delete(connection)) this.#connectionLimit.leave(principal);
      },
    });
    this.#open.set(id, connection);
    this.#all.add(connection);
    return connection;
  }

  #serviceFor(carrier: Carrier, subscribed: readonly LiveHub[], { endpoint, settings }: MountRequest): Service {
    if (endpoint instanceof LiveConnections) return new PersistentSession(carrier, endpoint, settings);
    const encodingOf = ({ definition }: LiveHub) => this.#encodingOf(definition);
    return new HubService(carrier, { hubs: hubsOf(endpoint), subscribed, encodingOf, settings });
  }

  /** Returns the one encoding of a hub, so that a broadcast is serialized once for all connections. */
  #encodingOf(definition: HubDefinition): HubPushEncoding {
    const known = this.#encodings.get(definition) ?? new HubPushEncoding(definition.name);
    this.#encodings.set(definition, known);
    return known;
  }
}
