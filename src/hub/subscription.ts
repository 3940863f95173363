// What a client of the alarm hub asked for, and whether an alarm is part of it.

import { HubException } from '@tocsin/signalr';

export type Subscription = {
  /** Empty means all of them, as in the other two. */
  readonly stations: readonly number[];
  readonly tagGroups: readonly number[];
  readonly priorities: readonly number[];
  /** Whether acknowledgements, resets and masks are told of too. */
  readonly changes: boolean;
  /** Whether sounds are to be played here. */
  readonly sounds: boolean;
  /** Whether what phones do is told of. */
  readonly phones: boolean;
  readonly since: string | undefined;
};

/** Whoever connects without a word gets every new alarm that is theirs to see. */
export const everything: Subscription = {
  stations: [],
  tagGroups: [],
  priorities: [],
  changes: false,
  sounds: false,
  phones: false,
  since: undefined,
};

const mostNumbers = 1_000;
const known = ['stations', 'tagGroups', 'priorities', 'changes', 'sounds', 'phones', 'since'];

/** The argument of `subscribe`; refuses what it cannot make sense of, naming the field. */
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
    since: text('since', fields.since),
  };
}

/** Clients put what is left with them into addresses, which may not be of any length. */
const mostPrinted = 4_096;

/** The filter as it is left with a client that brings it along when it comes back; refused where it is too long for that. */
export function printSubscription({ since: _, ...filter }: Subscription): string {
  const asked = Object.entries(filter).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  const printed = Buffer.from(JSON.stringify(Object.fromEntries(asked))).toString('base64url');
  if (printed.length > mostPrinted) throw new HubException('The filter is too long for a client of this generation.');
  return printed;
}

/**
 * Nobody signs it: it is no more than the client could ask for, which its token limits all the same. What is none is
 * refused rather than passed over: whoever asked for less must not get everything.
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
  const isList = Array.isArray(value) && value.length <= mostNumbers && value.every(isUint);
  if (!isList) throw new HubException(`${name} must be a list of at most ${mostNumbers} whole numbers.`);
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

/** What decides whether somebody hears of an alarm. */
export type Heard = { readonly stationId: number; readonly tagGroupId: number | undefined; readonly priority: number };

export function hears(subscription: Subscription, { stationId, tagGroupId, priority }: Heard): boolean {
  const { stations, tagGroups, priorities } = subscription;
  return (
    (stations.length === 0 || stations.includes(stationId)) &&
    (tagGroups.length === 0 || (tagGroupId !== undefined && tagGroups.includes(tagGroupId))) &&
    (priorities.length === 0 || priorities.includes(priority))
  );
}
