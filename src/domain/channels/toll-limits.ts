// Toll limits: how many deliveries a day a person, a country and a provider may cost, and a budget of the day. Pure.

import { civilClock, dayMs } from '../on-call/civil-time.ts';
import type { ContactNumber } from '../people/person.ts';
import { countryOf, isTelephone } from '../people/telephone-number.ts';
import { providersOf, servesAddress } from './choose-provider.ts';
import type { Provider } from './provider.ts';

/** Limits of the whole installation; those of a provider are its own. Priority 1 is exempt from all. */
export type TollLimits = {
  /** The prefixes of telephone numbers that may be called; empty: all. */
  readonly allowedPrefixes: readonly string[];
  /** The most deliveries a day to telephone numbers of one person, and of one country; undefined: no limit. */
  readonly perPersonDay: number | undefined;
  readonly perCountryDay: number | undefined;
  /** The most that deliveries may cost a day, in the currency of the costs of providers; undefined: no limit. */
  readonly budgetDay: number | undefined;
};

export const noTollLimits: TollLimits = {
  allowedPrefixes: [],
  perPersonDay: undefined,
  perCountryDay: undefined,
  budgetDay: undefined,
};

/** Deliveries of one day to one address by one provider. */
export type Deliveries = {
  readonly userId: number;
  readonly channel: string;
  readonly address: string;
  /** Undefined before a provider has taken it. */
  readonly providerId: number | undefined;
  readonly count: number;
};

/** Deliveries since the day began, in the time zone of the installation. */
export type TollUse = { readonly dayEnd: number; readonly deliveries: readonly Deliveries[] };

export type TollRules = {
  readonly limits: TollLimits;
  readonly providers: readonly Provider[];
  readonly hasSimulator: boolean;
  readonly timeZone: string;
};

/** Whether anything is limited by day, so that deliveries need to be counted. */
export function countsDeliveries(
  { perPersonDay, perCountryDay, budgetDay }: TollLimits,
  providers: readonly Provider[],
) {
  const isLimited = perPersonDay !== undefined || perCountryDay !== undefined || budgetDay !== undefined;
  return isLimited || providers.some(({ perDay }) => perDay !== undefined);
}

/** Returns when the present day began and when it ends. */
export function dayOf(now: number, timeZone: string): { readonly begin: number; readonly end: number } {
  const clock = civilClock(timeZone);
  const midnight = Math.floor(clock.civilOf(now) / dayMs) * dayMs;
  return { begin: clock.instantOf(midnight), end: clock.instantOf(midnight + dayMs) };
}

/** A limit that is reached. */
export type ReachedLimit =
  | { readonly of: 'person' | 'budget'; readonly most: number }
  | { readonly of: 'country'; readonly most: number; readonly country: string }
  | { readonly of: 'providers' };

export type TollHold = { readonly until: number; readonly limit: ReachedLimit };

/** Returns the limit that keeps a delivery to this number from being made now; undefined if none does. */
export function tollHold(
  userId: number,
  number: Pick<ContactNumber, 'channel' | 'address'>,
  use: TollUse,
  rules: TollRules,
  now: number,
): TollHold | undefined {
  const isOver = use.dayEnd <= now;
  const until = isOver ? dayOf(now, rules.timeZone).end : use.dayEnd;
  const limit = limitReached(userId, number, isOver ? [] : use.deliveries, rules);
  return limit === undefined ? undefined : { until, limit };
}

function limitReached(
  userId: number,
  { channel, address }: Pick<ContactNumber, 'channel' | 'address'>,
  deliveries: readonly Deliveries[],
  { limits, providers, hasSimulator }: TollRules,
): ReachedLimit | undefined {
  const { perPersonDay, perCountryDay, budgetDay } = limits;
  const serving = providersOf(channel, providers, hasSimulator).filter((one) => servesAddress(one, address));
  const isUsedUp = ({ id, perDay }: Provider): boolean =>
    perDay !== undefined && total(deliveries, ({ providerId }) => providerId === id) >= perDay;
  if (serving.length > 0 && serving.every(isUsedUp)) return { of: 'providers' };
  if (!isTelephone(channel)) return undefined;
  const ofTelephones = deliveries.filter((one) => isTelephone(one.channel));
  const isReached = (limit: number | undefined, isCounted: (one: Deliveries) => boolean): limit is number =>
    limit !== undefined && total(ofTelephones, isCounted) >= limit;
  if (isReached(perPersonDay, (one) => one.userId === userId)) return { of: 'person', most: perPersonDay };
  const country = countryOf(address);
  if (country !== '' && isReached(perCountryDay, (one) => countryOf(one.address) === country))
    return { of: 'country', most: perCountryDay, country };
  if (budgetDay !== undefined && spent(deliveries, providers) >= budgetDay) return { of: 'budget', most: budgetDay };
  return undefined;
}

function total(deliveries: readonly Deliveries[], isCounted: (one: Deliveries) => boolean): number {
  return deliveries.filter(isCounted).reduce((sum, { count }) => sum + count, 0);
}

/** Returns what the deliveries cost. */
export function spent(deliveries: readonly Deliveries[], providers: readonly Provider[]): number {
  const costs = new Map(providers.map(({ id, cost }) => [id, cost]));
  return deliveries.reduce((sum, { providerId, count }) => sum + (costs.get(providerId ?? 0) ?? 0) * count, 0);
}

/** The deliveries of the day with the limits on them; undefined if nothing is limited by day. */
export type Tolls = { readonly use: TollUse; readonly rules: TollRules } | undefined;

/** Returns the tolls after an attempt was decided on. */
export function tollsAfter(tolls: Tolls, delivery: Omit<Deliveries, 'count'>, now: number): Tolls {
  if (tolls === undefined) return undefined;
  const { use, rules } = tolls;
  const isOver = use.dayEnd <= now;
  const before = isOver ? [] : use.deliveries;
  const dayEnd = isOver ? dayOf(now, rules.timeZone).end : use.dayEnd;
  return { rules, use: { dayEnd, deliveries: [...before, { ...delivery, count: 1 }] } };
}
