// The harness's own count of toll limits: how many deliveries of the day there were to a person, to a country, by a provider, and
// what they cost. It shares no function with the engine. Days are those of UTC.

import type { CallPolicy } from '../../../src/domain/calls/call.ts';
import type { Provider } from '../../../src/domain/channels/provider.ts';
import { isTelephone } from './directory.ts';
import type { AttemptTrace, Trace } from './trace.ts';

const dayMs = 86_400_000;

type Called = { readonly userId: number; readonly channel: string; readonly address: string };

/**
 * Returns which limits keep a delivery that is not of priority 1 from being made; `isCounted` says which attempts count.
 */
export function limitsReached(
  trace: Trace,
  { userId, channel, address }: Called,
  at: number,
  isCounted: (attempt: AttemptTrace) => boolean,
): readonly string[] {
  const { tolls } = trace.policies.at(at);
  const today = (): readonly AttemptTrace[] => deliveriesOf(trace, at).filter(isCounted);
  const reached: string[] = [];
  if (isUsedUp(trace, channel, address, today)) reached.push('its providers have carried enough for the day');
  if (!isTelephone(channel)) return reached;
  const { perPersonDay, perCountryDay, budgetDay } = tolls;
  const isReached = (limit: number | undefined, isOf: (attempt: AttemptTrace) => boolean): boolean =>
    limit !== undefined && today().filter((one) => isTelephone(one.attempt.channel) && isOf(one)).length >= limit;
  if (isReached(perPersonDay, (one) => one.attempt.userId === userId))
    reached.push('the person had enough for the day');
  const country = countryOf(address);
  if (isReached(perCountryDay, (one) => countryOf(one.attempt.address) === country))
    reached.push('the country had enough for the day');
  if (budgetDay !== undefined && costOf(today(), trace.providers) >= budgetDay) reached.push('the budget is spent');
  return reached;
}

/** Whether anything is limited by day. */
export function hasTolls({ tolls }: CallPolicy, providers: readonly Provider[]): boolean {
  const { perPersonDay, perCountryDay, budgetDay } = tolls;
  const limits = [perPersonDay, perCountryDay, budgetDay, ...providers.map(({ perDay }) => perDay)];
  return limits.some((limit) => limit !== undefined);
}

function isUsedUp(trace: Trace, channel: string, address: string, today: () => readonly AttemptTrace[]): boolean {
  const serving = trace.providers.filter((one) => one.channel === channel && serves(one, address));
  if (serving.length === 0 || serving.some(({ perDay }) => perDay === undefined)) return false;
  const all = today();
  return serving.every(({ id, perDay = 0 }) => all.filter((one) => one.attempt.providerId === id).length >= perDay);
}

function deliveriesOf(trace: Trace, at: number): readonly AttemptTrace[] {
  const midnight = Math.floor((at + trace.civilOffsets.at(at)) / dayMs) * dayMs;
  return [...trace.attempts.values()].filter(({ attempt: { begunAt } }) => {
    return begunAt < at && begunAt + trace.civilOffsets.at(begunAt) >= midnight;
  });
}

function costOf(attempts: readonly AttemptTrace[], providers: readonly Provider[]): number {
  const costs = new Map(providers.map(({ id, cost }) => [id, cost]));
  return attempts.reduce((sum, { attempt: { providerId } }) => sum + (costs.get(providerId ?? 0) ?? 0), 0);
}

export function serves({ countries }: Provider, address: string): boolean {
  return countries.length === 0 || countries.some((prefix) => address.startsWith(prefix));
}
/** The organisations have numbers of two countries. */
function countryOf(address: string): string {
  return address.slice(0, 3);
}
