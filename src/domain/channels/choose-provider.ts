// Chooses the provider of a delivery: the first in order that serves the number, is up, and has capacity left. Pure.

import { mayUse } from './breaker.ts';
import { webhookProviders } from './kinds/webhook.ts';
import { isSimulated, type Provider, type ProviderHealth, unknownHealth } from './provider.ts';
import { readSettings } from './settings.ts';
import { webhookAddressProblem } from './webhook-address.ts';

/** The use of one provider, counted over all nodes. */
export type ProviderUse = {
  readonly health: ProviderHealth;
  /** Deliveries under way. */
  readonly inUse: number;
  /** Deliveries begun within the last second. */
  readonly lastSecond: number;
  /** Deliveries begun since the day began, in the time zone of the installation. */
  readonly today: number;
};

export type ProviderUses = ReadonlyMap<number, ProviderUse>;

export const unusedProvider: ProviderUse = { health: unknownHealth, inUse: 0, lastSecond: 0, today: 0 };

export type ChoiceContext = {
  readonly providers: readonly Provider[];
  readonly uses: ProviderUses;
  readonly hasSimulator: boolean;
  /** The name of the node that chooses; undefined: of any node that runs. */
  readonly nodeName: string | undefined;
  /** The names of nodes that do not run any more: providers tied to them are down. */
  readonly goneNodes: ReadonlySet<string>;
  /** The providers that the choosing node cannot open, and another that runs can. */
  readonly elsewhere?: ReadonlySet<number>;
  readonly now: number;
};

export type ProviderChoice =
  | { readonly kind: 'use'; readonly provider: Provider }
  /** All providers that could carry it are at their capacity, or are left to another node. */
  | { readonly kind: 'wait' }
  /** None is set up, all are switched off, all that are set up have failed, or have carried as much as they may in a day. */
  | { readonly kind: 'none'; readonly reason: 'not-set-up' | 'switched-off' | 'not-served' | 'down' | 'limited' };

type CalledNumber = { readonly channel: string; readonly address: string; readonly priority: number };

/** `triedIds` are the providers that have failed to carry this delivery. */
export function chooseProvider(
  number: CalledNumber,
  triedIds: readonly number[],
  context: ChoiceContext,
): ProviderChoice {
  const ofChannel = providersOf(number.channel, context.providers, context.hasSimulator);
  if (ofChannel.length === 0)
    return { kind: 'none', reason: isSwitchedOff(number.channel, context) ? 'switched-off' : 'not-set-up' };
  const serving = ofChannel.filter((provider) => servesAddress(provider, number.address));
  if (serving.length === 0) return { kind: 'none', reason: 'not-served' };
  const left = mayRequest(serving, number.address).filter(({ id }) => !triedIds.includes(id));
  let isWaiting = false;
  let isLimited = false;
  for (const provider of left) {
    const use = context.uses.get(provider.id) ?? unusedProvider;
    if (number.priority > 1 && use.today >= (provider.perDay ?? Number.POSITIVE_INFINITY)) {
      isLimited = true;
      continue;
    }
    if (isGone(provider, context.goneNodes) || !mayUse(use.health, use.inUse, context.now)) continue;
    if (hasCapacity(provider, use)) {
      // The first in order carries it: its node takes it, as long as that runs.
      return isHere(provider, context) ? { kind: 'use', provider } : { kind: 'wait' };
    }
    isWaiting = true;
  }
  return isWaiting ? { kind: 'wait' } : { kind: 'none', reason: isLimited ? 'limited' : 'down' };
}

/** Whether there is a provider that could carry the delivery and was not asked, whatever keeps it from being used now. */
export function hasUnasked(number: CalledNumber, triedIds: readonly number[], context: ChoiceContext): boolean {
  const ofChannel = providersOf(number.channel, context.providers, context.hasSimulator);
  const serving = ofChannel.filter((provider) => servesAddress(provider, number.address));
  return mayRequest(serving, number.address).some(({ id }) => !triedIds.includes(id));
}

/**
 * Returns the providers of a channel in order. As long as no real provider is set up, the simulator serves every channel
 * that has no simulated provider of its own.
 */
export function providersOf(
  channel: string,
  providers: readonly Provider[],
  hasSimulator: boolean,
): readonly Provider[] {
  const enabled = enabledProviders(providers, hasSimulator);
  const own = enabled.filter((provider) => provider.channel === channel);
  if (own.length > 0 || enabled.some((provider) => !isSimulated(provider))) return own;
  return enabled.filter((provider) => provider.channel === 'simulator');
}

/** Whether a channel without a provider would have one if one that is switched off were on. */
function isSwitchedOff(channel: string, { providers, hasSimulator }: ChoiceContext): boolean {
  return providers.some((off) => {
    const others = providers.filter(({ id }) => id !== off.id);
    return !off.isEnabled && providersOf(channel, [...others, { ...off, isEnabled: true }], hasSimulator).length > 0;
  });
}

/** Returns the names of the channels that can deliver; `all` while the simulator serves every name. */
export function channelsUp(providers: readonly Provider[], hasSimulator: boolean): 'all' | readonly string[] {
  const enabled = enabledProviders(providers, hasSimulator);
  const real = enabled.filter((provider) => !isSimulated(provider));
  if (real.length > 0) return [...new Set(real.map(({ channel }) => channel))];
  return enabled.some(({ channel }) => channel === 'simulator')
    ? 'all'
    : [...new Set(enabled.map(({ channel }) => channel))];
}

/** Returns those of the channels that are set up which have a provider that is not known to be down, alone or with its node. */
export function channelsWorking(
  providers: readonly Provider[],
  health: ReadonlyMap<number, ProviderHealth>,
  hasSimulator: boolean,
  gone: ReadonlySet<string>,
): 'all' | readonly string[] {
  const isWorking = (provider: Provider): boolean =>
    health.get(provider.id)?.state !== 'down' && !isGone(provider, gone);
  const channels = channelsUp(providers, hasSimulator);
  if (channels !== 'all')
    return channels.filter((channel) => providersOf(channel, providers, hasSimulator).some(isWorking));
  return providersOf('simulator', providers, hasSimulator).some(isWorking) ? 'all' : [];
}

function enabledProviders(providers: readonly Provider[], hasSimulator: boolean): readonly Provider[] {
  return providers
    .filter((provider) => provider.isEnabled && (hasSimulator || !isSimulated(provider)))
    .sort((a, b) => a.order - b.order || a.id - b.id);
}

export function servesAddress({ countries }: Provider, address: string): boolean {
  return countries.length === 0 || countries.some((prefix) => address.startsWith(prefix));
}

/**
 * Returns the providers without those of webhooks whose limits forbid the address. If all of them do, it returns all: the one
 * that is asked then says what it does not allow.
 */
function mayRequest(providers: readonly Provider[], address: string): readonly Provider[] {
  const allowed = providers.filter(({ kind, settings }) => {
    if (kind !== webhookProviders.name) return true;
    const limits = readSettings(webhookProviders.fields, settings).values;
    return webhookAddressProblem(address, limits) === undefined;
  });
  return allowed.length > 0 ? allowed : providers;
}

function hasCapacity({ lines, perSecond }: Provider, { inUse, lastSecond }: ProviderUse): boolean {
  return inUse < (lines ?? Number.POSITIVE_INFINITY) && lastSecond < (perSecond ?? Number.POSITIVE_INFINITY);
}

export function isGone({ node }: Provider, gone: ReadonlySet<string>): boolean {
  return node !== undefined && gone.has(node);
}

/** Whether the choosing node may carry by it: it is tied to no other node, and not left to another that can open it. */
export function isHere(
  { id, node }: Provider,
  { nodeName, elsewhere }: Pick<ChoiceContext, 'nodeName' | 'elsewhere'>,
): boolean {
  const isOnNode = node === undefined || nodeName === undefined || node === nodeName;
  return isOnNode && elsewhere?.has(id) !== true;
}
