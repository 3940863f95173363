// Tells the consoles that ask for it what this node can do now: on subscribing, and with every change. It needs no database, so
// that a node that is cut off from its database still says so.

import type { HubConnection } from '@tocsin/signalr';

/** The argument of `onHealth`. */
export type HealthMessage = {
  readonly takesAlarms: boolean;
  readonly readsAlarms: boolean;
  readonly calling: readonly string[];
  readonly since: string;
  readonly takesSince: string;
  readonly readsSince: string;
  readonly callingSince: string;
};

type HealthPushParts = {
  readonly push: (health: HealthMessage) => void;
};

export class HealthPushes {
  readonly #parts: HealthPushParts;
  #newest: HealthMessage | undefined;

  constructor(parts: HealthPushParts) {
    this.#parts = parts;
  }

  /** `undefined`: it is not known any more, because nobody asked. */
  tell(health: HealthMessage | undefined): void {
    this.#newest = health;
    if (health !== undefined) this.#parts.push(health);
  }

  greet(connection: HubConnection): void {
    if (this.#newest !== undefined) connection.send('onHealth', [this.#newest]);
  }
}
