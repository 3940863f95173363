// The interface of every channel that delivers messages to people.

import type { CallMessage, CodeMessage, Delivery } from '../domain/calls/delivery.ts';

/**
 * Abort reason when another node has taken the attempt over: the channel must not cancel the delivery at the provider.
 */
export const leaseLost = new Error('another node has taken over');

/** Abort reason when the call has ended, mostly because somebody has taken the alarm. */
export const callEnded = new Error('the call has ended');

export type Channel = {
  /**
   * Delivers one message and returns the outcome, at the latest when `signal` aborts: the channel then cancels the
   * delivery, unless the reason is `leaseLost`. For `callEnded` the channel first tells a person who has answered what
   * became of the alarm. Channels return the rejection of a provider as an outcome and never throw it.
   * Outcomes and errors contain no secrets. Delivering the same attempt twice should reach the person once, if the
   * provider supports it.
   */
  deliver(message: CallMessage, signal: AbortSignal): Promise<Delivery>;
  /**
   * Called at every poll of the dispatcher, for time-outs that people see, such as a phone that rings for 30 s: these follow
   * the server's clock. Time-outs of the network are real time and belong into `deliver`.
   */
  poll(): void;
  /**
   * True if the provider continues without this server: shutdown does not wait, and the next node queries the outcome.
   */
  survivesShutdown(message: CallMessage): boolean;
  /** Tells a person a code, once; a channel without it cannot verify numbers. The outcome is as that of `deliver`. */
  sendCode?(message: CodeMessage, signal: AbortSignal): Promise<Delivery>;
  stop(): void;
};

const simulatorName = 'simulator';

/** The channel that serves numbers of this name: as long as no other is set up, the simulator serves all of them. */
export function channelFor(
  name: string,
  channels: ReadonlyMap<string, Channel>,
  simulator: Channel | undefined,
): Channel | undefined {
  const isSimulated = channels.size === 0 || name === simulatorName;
  return channels.get(name) ?? (isSimulated ? simulator : undefined);
}
