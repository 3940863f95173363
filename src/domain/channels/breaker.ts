// The circuit breaker of a provider: after several failures it is left out, and tried again from time to time. Pure.

import type { ProviderHealth } from './provider.ts';

const failuresUntilDown = 5;
const probeEveryMs = 30_000;

/** Returns the health after a delivery or check that the provider itself failed. */
export function afterFailure(health: ProviderHealth, reason: string, now: number): ProviderHealth {
  const failures = health.failures + 1;
  const isDown = health.state === 'down' || failures >= failuresUntilDown;
  if (!isDown) return { ...health, failures, reason };
  return {
    state: 'down',
    since: health.state === 'down' ? health.since : now,
    failures,
    probeAt: now + probeEveryMs,
    reason,
  };
}

/** Returns the health after a failed check: supervision has tried often enough before it says so. */
export function afterLoss(health: ProviderHealth, reason: string, now: number): ProviderHealth {
  return afterFailure({ ...health, failures: Math.max(health.failures, failuresUntilDown - 1) }, reason, now);
}

/** Returns the health after a delivery that the provider carried, or a check that it answered. */
export function afterSuccess(health: ProviderHealth, now: number): ProviderHealth {
  return { state: 'up', since: health.state === 'up' ? health.since : now, failures: 0, probeAt: 0, reason: '' };
}

/** Whether a delivery may use the provider: one that is down takes a single delivery when a probe is due. */
export function mayUse(health: ProviderHealth, inUse: number, now: number): boolean {
  return health.state !== 'down' || (now >= health.probeAt && inUse === 0);
}
