// The running handlers of raw connections.

import type { ByteConnection, ConnectionsDefinition } from '../connections.ts';
import type { SendScheduler } from '../sending/send-scheduler.ts';

export class LiveConnections {
  readonly scheduler: SendScheduler;
  readonly #definition: ConnectionsDefinition;
  readonly #onError: (error: unknown) => void;
  #running = 0;

  constructor(definition: ConnectionsDefinition, scheduler: SendScheduler, onError: (error: unknown) => void) {
    this.scheduler = scheduler;
    this.#definition = definition;
    this.#onError = onError;
  }

  get tokenScope(): string {
    return `connections:${this.#definition.name}`;
  }

  get isQuiet(): boolean {
    return this.#running === 0;
  }

  /** Runs the handler and closes the connection after it. Never rejects. */
  async serve(connection: ByteConnection): Promise<void> {
    this.#running += 1;
    try {
      await this.#definition.onConnected(connection);
    } catch (error) {
      this.#onError(error);
    }
    this.#running -= 1;
    connection.close();
  }
}
