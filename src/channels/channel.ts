// The port of every way to reach a person.

import type { CallMessage, Delivery } from '../domain/calls/delivery.ts';

/** Why a delivery is given up that somebody else goes on with: what is under way must not be cut off. */
export const leaseLost = new Error('another node has taken over');

export type Channel = {
  /**
   * Delivers one message and answers what became of it, at the latest when `signal` aborts: what is under way is
   * cut off then, unless the reason is `leaseLost`. A provider's "no" is an
   * outcome, never thrown; no outcome and no error holds a secret. The same attempt twice should reach the person once,
   * where the provider can see to that.
   */
  deliver(message: CallMessage, signal: AbortSignal): Promise<Delivery>;
  /** Sees to what has come due by the clock; asked again and again. */
  poll(): void;
  /** Whether it goes on without this server, which then need not wait for it to stop: whoever comes next asks after it. */
  survivesShutdown(message: CallMessage): boolean;
  stop(): void;
};
