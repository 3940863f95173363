// Telephone lines that attempts of Tocsin occupy: other calls wait for them, as they would only find them busy. Pure.

import type { PeopleSnapshot } from '../people/call-group.ts';
import type { ContactNumber } from '../people/person.ts';
import type { NewAttempt } from './call.ts';
import { isSpoken } from './delivery.ts';

type Telephone = Pick<ContactNumber, 'channel' | 'address'>;

/**
 * Returns the lines a telephone call occupies: the number, and the person, who can take one call at a time. Texts
 * occupy none.
 */
export function linesOf(userId: number, { channel, address }: Telephone): readonly string[] {
  if (!isSpoken(channel)) return [];
  return channel === 'simulator' ? [`person ${userId}`] : [`person ${userId}`, `number ${address}`];
}

/** Returns the lines the attempt occupies until it ends. */
export function attemptLines({ userId, number }: NewAttempt): readonly string[] {
  return number === undefined ? [] : linesOf(userId, number);
}

export function isFree(userId: number, number: Telephone, inUse: ReadonlySet<string>): boolean {
  return !linesOf(userId, number).some((line) => inUse.has(line));
}

/** Returns these people and all people who share a telephone number with one of them. */
export function sharingLines(userIds: Iterable<number>, snapshot: PeopleSnapshot): ReadonlySet<number> {
  const owners = ownersIn(snapshot);
  const found = new Set(userIds);
  for (const userId of [...found])
    for (const { address } of snapshot.people.get(userId)?.numbers ?? [])
      for (const owner of owners.get(address) ?? []) found.add(owner);
  return found;
}

type Owners = ReadonlyMap<string, readonly number[]>;

/** Cached per snapshot: the same snapshot is used for many attempts. */
const ownersCache = new WeakMap<PeopleSnapshot, Owners>();

function ownersIn(snapshot: PeopleSnapshot): Owners {
  const cached = ownersCache.get(snapshot);
  if (cached !== undefined) return cached;
  const owners = new Map<string, number[]>();
  for (const { id, numbers } of snapshot.people.values())
    for (const { address, channel } of numbers)
      if (isSpoken(channel)) owners.set(address, [...(owners.get(address) ?? []), id]);
  ownersCache.set(snapshot, owners);
  return owners;
}
