// Raw connections while the server runs: hands each to its handler, and knows how many handlers are at work.

import type { ByteConnection, ConnectionsDefinition } from './connections.ts';

export class LiveConnections {
  readonly #definition: ConnectionsDefinition;
  readonly #onError: (error: unknown) => void;
  #running = 0;

  constructor(definition: ConnectionsDefinition, onError: (error: unknown) => void) {
    this.#definition = definition;
    this.#onError = onError;
  }

  get tokenScope(): string {
    return `connections:${this.#definition.name}`;
  }

  get isQuiet(): boolean {
    return this.#running === 0;
  }

  /** Lets the handler speak, and closes after it. Never rejects. */
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
