// A provider that a test holds the strings of: it takes messages, and says what became of them when the test wants it to.

import type { Channel } from '../../src/channels/channel.ts';
import type { CallMessage, Delivery } from '../../src/domain/calls/delivery.ts';

export class PostOffice implements Channel {
  /** Everything it was ever asked to deliver, in order. */
  readonly asked: CallMessage[] = [];
  readonly #open = new Map<CallMessage, (delivery: Delivery) => void>();
  readonly #outcome: Delivery;
  #isQuick = true;

  constructor(outcome: Delivery = { kind: 'delivered', detail: 'handed in' }) {
    this.#outcome = outcome;
  }

  /** From now on what is asked for stays under way. */
  hold(): void {
    this.#isQuick = false;
  }

  /** Everything under way comes to its outcome, and what comes after at once. */
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
