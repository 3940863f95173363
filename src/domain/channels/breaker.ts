// The circuit breaker of a provider: after failures for several addresses it is left out, and tried again from time to time. One
// address that fails by itself never takes it down for others. Pure.

import type { FailedAddress, ProviderHealth } from './provider.ts';

const probeEveryMs = 30_000;
/** Failures are looked at for this long, and only those since the last success. */
const rememberedMs = 600_000;
/** So many different addresses that fail are no coincidence. */
const addressesUntilDown = 3;
/** Two failures of one address within less are one fault. */
const leastApartMs = 30_000;

/** Returns the health after a delivery to the address that the provider itself failed. */
export function afterFailure(health: ProviderHealth, reason: string, now: number, address: string): ProviderHealth {
  const known = health.failed ?? [];
  // While its own check fails, a delivery that fails says nothing new.
  const isDownByCheck = health.state === 'down' && known.length === 0;
  const failed = isDownByCheck ? [] : withFailure(known, address, now);
  const failures = health.failures + 1;
  return health.state === 'down' || isDown(failed)
    ? { ...down(health, reason, now), failures, failed }
    : { ...health, failures, reason, failed };
}

/** Returns the health after a failed check: supervision has tried often enough before it says so. */
export function afterLoss(health: ProviderHealth, reason: string, now: number): ProviderHealth {
  return { ...down(health, reason, now), failures: health.failures + 1, failed: [] };
}

/** Returns the health after a check that it answered. Only a delivery shows that it carries again what it has failed to carry. */
export function afterCheck(health: ProviderHealth, now: number): ProviderHealth {
  const failed = recent(health.failed ?? [], now);
  if (failed.length === 0) return afterSuccess(health, now);
  if (health.state === 'down') return health;
  return { ...health, state: 'up', since: health.state === 'up' ? health.since : now };
}

function down(health: ProviderHealth, reason: string, now: number): Omit<ProviderHealth, 'failures'> {
  return { state: 'down', since: health.state === 'down' ? health.since : now, probeAt: now + probeEveryMs, reason };
}

function withFailure(failed: readonly FailedAddress[], address: string, now: number): readonly FailedAddress[] {
  const known = recent(failed, now);
  const first = known.find((one) => one.address === address)?.first ?? now;
  return [...known.filter((one) => one.address !== address), { address, first, last: now }];
}

function recent(failed: readonly FailedAddress[], now: number): readonly FailedAddress[] {
  return failed.filter(({ last }) => last > now - rememberedMs);
}

/** Three addresses, or, of fewer, every one that was tried since the last success: each twice. */
function isDown(failed: readonly FailedAddress[]): boolean {
  if (failed.length >= addressesUntilDown) return true;
  return failed.every(({ first, last }) => last - first >= leastApartMs);
}

/** Returns the health after a delivery that the provider carried, or a test that somebody asked for and that it passed. */
export function afterSuccess(health: ProviderHealth, now: number): ProviderHealth {
  return {
    state: 'up',
    since: health.state === 'up' ? health.since : now,
    failures: 0,
    failed: [],
    probeAt: 0,
    reason: '',
  };
}

/** Whether a delivery may use the provider: one that is down takes a single delivery when a probe is due. */
export function mayUse(health: ProviderHealth, inUse: number, now: number): boolean {
  return health.state !== 'down' || (now >= health.probeAt && inUse === 0);
}
