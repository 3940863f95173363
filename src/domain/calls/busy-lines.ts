// Telephone lines that Tocsin itself is calling on: another call of ours waits for them, it would only find them busy. Pure.

import type { PeopleSnapshot } from '../people/call-group.ts';
import type { ContactNumber } from '../people/person.ts';
import type { NewAttempt } from './call.ts';
import { isSpoken } from './delivery.ts';

type Telephone = Pick<ContactNumber, 'channel' | 'address'>;

/** What an attempt occupies: the number, and the person, who speaks with one at a time. What is written occupies nothing. */
export function linesOf(userId: number, { channel, address }: Telephone): readonly string[] {
  if (!isSpoken(channel)) return [];
  return channel === 'simulator' ? [`person ${userId}`] : [`person ${userId}`, `number ${address}`];
}

/** What the attempt occupies until it has ended. */
export function attemptLines({ userId, number }: NewAttempt): readonly string[] {
  return number === undefined ? [] : linesOf(userId, number);
}

export function isFree(userId: number, number: Telephone, inUse: ReadonlySet<string>): boolean {
  return !linesOf(userId, number).some((line) => inUse.has(line));
}

/** These people and everybody with a telephone of theirs: who may have to wait for whom. */
export function sharingLines(userIds: Iterable<number>, directory: PeopleSnapshot): ReadonlySet<number> {
  const owners = ownersIn(directory);
  const found = new Set(userIds);
  for (const userId of [...found])
    for (const { address } of directory.people.get(userId)?.numbers ?? [])
      for (const owner of owners.get(address) ?? []) found.add(owner);
  return found;
}

type Owners = ReadonlyMap<string, readonly number[]>;

/** A directory is asked often while it stays the same. */
const known = new WeakMap<PeopleSnapshot, Owners>();

function ownersIn(directory: PeopleSnapshot): Owners {
  const kept = known.get(directory);
  if (kept !== undefined) return kept;
  const owners = new Map<string, number[]>();
  for (const { id, numbers } of directory.people.values())
    for (const { address, channel } of numbers)
      if (isSpoken(channel)) owners.set(address, [...(owners.get(address) ?? []), id]);
  known.set(directory, owners);
  return owners;
}
