// The filter a client of the alarm hub subscribed with, and whether an alarm matches it.

import { HubException } from '@tocsin/signalr';
import type { FilteredBy } from '../domain/alarms/news.ts';

export type Subscription = {
  /** Empty means all, as for the other two lists. */
  readonly stations: readonly number[];
  readonly tagGroups: readonly number[];
  readonly priorities: readonly number[];
  /** Whether changes and removals are sent, too. */
  readonly changes: boolean;
  /** Whether sound events are sent. */
  readonly sounds: boolean;
  /** Whether phone events are sent. */
  readonly phones: boolean;
  /** Whether calls that change are sent. */
  readonly calls: boolean;
  /** Whether it is told what this node can do. */
  readonly health: boolean;
  readonly since: string | undefined;
};

/** The default filter: every new alarm the caller may see. */
export const defaultSubscription: Subscription = {
  stations: [],
  tagGroups: [],
  priorities: [],
  changes: false,
  sounds: false,
  phones: false,
  calls: false,
  health: false,
  since: undefined,
};

const maxNumbers = 1_000;
const known = ['stations', 'tagGroups', 'priorities', 'changes', 'sounds', 'phones', 'calls', 'health', 'since'];

/** Parses the argument of `subscribe`; throws with the name of an invalid field. */
export function readSubscription(filter: unknown): Subscription {
  if (filter !== undefined && filter !== null && (typeof filter !== 'object' || Array.isArray(filter))) {
    throw new HubException('The filter must be an object.');
  }
  const fields = (filter ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new HubException(`The filter has no field ${unknown}: it knows ${known.join(', ')}.`);
  return {
    stations: numbers('stations', fields.stations),
    tagGroups: numbers('tagGroups', fields.tagGroups),
    priorities: numbers('priorities', fields.priorities),
    changes: flag('changes', fields.changes),
    sounds: flag('sounds', fields.sounds),
    phones: flag('phones', fields.phones),
    calls: flag('calls', fields.calls),
    health: flag('health', fields.health),
    since: text('since', fields.since),
  };
}

/** Clients put the printed filter into URLs, whose length is limited. */
const maxPrintedLength = 4_096;

/**
 * Prints the filter as a token that the client stores and sends when it reconnects; throws if it is too long for that.
 */
export function printSubscription({ since: _, ...filter }: Subscription): string {
  const nonDefault = Object.entries(filter).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  const printed = Buffer.from(JSON.stringify(Object.fromEntries(nonDefault))).toString('base64url');
  if (printed.length > maxPrintedLength)
    throw new HubException('The filter is too long for a client of this generation.');
  return printed;
}

/**
 * Parses a printed filter. It is not signed, because it grants no more than the client could request, within its
 * token's rights. An invalid one is refused rather than ignored: a client that asked for less must not receive
 * everything.
 */
export function readPrintedSubscription(printed: string): Subscription {
  try {
    return readSubscription(JSON.parse(Buffer.from(printed, 'base64url').toString()));
  } catch {
    throw new HubException('What this client brings along is no filter.');
  }
}

function numbers(name: string, value: unknown): readonly number[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value) && value.length <= maxNumbers && value.every(isUint);
  if (!isList) throw new HubException(`${name} must be a list of at most ${maxNumbers} whole numbers.`);
  return value as number[];
}

function isUint(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 4_294_967_295;
}

function flag(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new HubException(`${name} must be true or false.`);
  return value;
}

function text(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new HubException(`${name} must be a position as subscribe returned it.`);
  return value;
}

export function matches(subscription: Subscription, { stationId, tagGroupId, priority }: FilteredBy): boolean {
  const { stations, tagGroups, priorities } = subscription;
  return (
    (stations.length === 0 || stations.includes(stationId)) &&
    (tagGroups.length === 0 || (tagGroupId !== undefined && tagGroups.includes(tagGroupId))) &&
    (priorities.length === 0 || priorities.includes(priority))
  );
}
