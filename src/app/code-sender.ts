// Sends codes that verify numbers, each by a provider that also calls the number.

import type { ProviderPool } from '../dispatch/channels/provider-pool.ts';
import type { CodeMessage, Delivery } from '../domain/calls/delivery.ts';
import { providersOf } from '../domain/channels/choose-provider.ts';
import { type ProviderReason, storedReason } from '../domain/channels/words/provider-reason.ts';

const timeoutMs = 30_000;

export function codeSender(
  pool: Pick<ProviderPool, 'get' | 'providers'>,
  hasSimulator: boolean,
  onTrouble: (error: unknown) => void,
): (message: CodeMessage) => Promise<Delivery> {
  return async (message) => {
    const { channel } = message;
    let outcome = failed('never', { code: 'no-codes', channel });
    for (const { id } of providersOf(channel, pool.providers(), hasSimulator)) {
      const provider = pool.get(id);
      if (provider?.sendCode === undefined) continue;
      try {
        outcome = await provider.sendCode(message, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        onTrouble(error);
        outcome = failed('later', { code: 'channel-failed' });
      }
      if (outcome.kind === 'delivered' || outcome.fault === undefined) return outcome;
    }
    return outcome;
  };
}

function failed(retry: 'later' | 'never', reason: ProviderReason): Delivery {
  return { kind: 'failed', retry, outcome: 'providerDown', fault: 'down', reason: storedReason(reason) };
}
