// Sends codes that verify numbers, each by the channel that also calls the number.

import { type Channel, channelFor } from '../channels/channel.ts';
import type { CodeMessage, Delivery } from '../domain/calls/delivery.ts';

const timeoutMs = 30_000;

export function codeSender(
  channels: ReadonlyMap<string, Channel>,
  simulator: Channel | undefined,
  onTrouble: (error: unknown) => void,
): (message: CodeMessage) => Promise<Delivery> {
  return async (message) => {
    const channel = channelFor(message.channel, channels, simulator);
    if (channel?.sendCode === undefined) return failed('never', `the channel ${message.channel} sends no codes`);
    try {
      return await channel.sendCode(message, AbortSignal.timeout(timeoutMs));
    } catch (error) {
      onTrouble(error);
      return failed('later', 'the channel failed');
    }
  };
}

function failed(retry: 'later' | 'never', reason: string): Delivery {
  return { kind: 'failed', retry, outcome: 'providerDown', reason };
}
