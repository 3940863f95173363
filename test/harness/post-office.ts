// A channel under the control of a test: accepts messages, and reports their outcome when the test says so.

import type { Channel } from '../../src/channels/channel.ts';
import type { CallMessage, Delivery } from '../../src/domain/calls/delivery.ts';

export class PostOffice implements Channel {
  /** All messages it was given, in order. */
  readonly asked: CallMessage[] = [];
  readonly #open = new Map<CallMessage, (delivery: Delivery) => void>();
  readonly #outcome: Delivery;
  #isQuick = true;

  constructor(outcome: Delivery = { kind: 'delivered', detail: 'handed in' }) {
    this.#outcome = outcome;
  }

  /** Messages from now on stay under way. */
  hold(): void {
    this.#isQuick = false;
  }

  /** Ends all deliveries under way; later messages end at once. */
  letGo(): void {
    this.#isQuick = true;
    for (const arrive of this.#open.values()) arrive(this.#outcome);
    this.#open.clear();
  }

  async deliver(message: CallMessage): Promise<Delivery> {
    this.asked.push(message);
    if (this.#isQuick) return this.#outcome;
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    this.#open.set(message, resolve);
    return promise;
  }

  poll(): void {}

  survivesShutdown(): boolean {
    return false;
  }

  stop(): void {}
}
