// A telephone exchange under the control of a test, in place of a SIP trunk: accepts messages, and reports their outcome when
// the test says so.

import type { OpenProvider, Report } from '../../../src/channels/channel.ts';
import type { CallMessage, Delivery } from '../../../src/domain/calls/delivery.ts';

export class PostOffice implements OpenProvider {
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

  async deliver(message: CallMessage, report: Report): Promise<Delivery> {
    this.asked.push(message);
    report({ kind: 'accepted', ref: String(message.attemptId) });
    if (this.#isQuick) return this.#outcome;
    const { promise, resolve } = Promise.withResolvers<Delivery>();
    this.#open.set(message, resolve);
    return promise;
  }

  async check(): Promise<void> {}

  survivesShutdown(): boolean {
    return false;
  }

  async close(): Promise<void> {}
}

/** The body of a SIP trunk for `POST /providers`; tests open it as a post office. */
export const trunk = { name: 'PBX', channel: 'voice', kind: 'sip', settings: { host: '127.0.0.1', user: 'tocsin' } };
