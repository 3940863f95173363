// Who is next in a level that calls its people in turn. Pure.

import type { Level } from './levels.ts';

/** `first`: the person who is being called for the group, with whom a new alarm begins; `last`: who was called last. */
export function nextInTurn(
  { userIds }: Level,
  taken: ReadonlySet<number>,
  first: number | undefined,
  last: number | undefined,
): number | undefined {
  if (first !== undefined && userIds.includes(first) && !taken.has(first)) return first;
  const start = userIds.indexOf(last ?? 0) + 1;
  return [...userIds.slice(start), ...userIds.slice(0, start)].find((userId) => !taken.has(userId));
}
