// The classic connections of this node by id, including those that are closing.

import type { ConnectionLimit } from '../connection-limit.ts';
import type { HubDefinition } from '../hub.ts';
import type { Settings } from '../options.ts';
import { ClassicConnection } from './classic-connection.ts';
import type { HubRequest } from './hub-request.ts';
import { HubPushEncoding } from './messages.ts';

export class ConnectionRegistry {
  readonly #settings: Settings;
  readonly #connectionLimit: ConnectionLimit;
  readonly #open = new Map<string, ClassicConnection>();
  readonly #all = new Set<ClassicConnection>();
  readonly #encodings = new Map<HubDefinition, HubPushEncoding>();

  constructor(settings: Settings, connectionLimit: ConnectionLimit) {
    this.#settings = settings;
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

  open(id: string, isListening: boolean, { hub, principal }: HubRequest): ClassicConnection {
    this.#connectionLimit.enter(principal);
    const connection: ClassicConnection = new ClassicConnection({
      ...{ id, hub, principal, isListening },
      encoding: this.#encodingOf(hub.definition),
      settings: this.#settings,
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

  /** Returns the one encoding of a hub, so that a broadcast is serialized once for all connections. */
  #encodingOf(definition: HubDefinition): HubPushEncoding {
    const known = this.#encodings.get(definition) ?? new HubPushEncoding(definition.name);
    this.#encodings.set(definition, known);
    return known;
  }
}
