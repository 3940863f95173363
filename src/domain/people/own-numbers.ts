// The numbers that a person writes into their own entry: nobody vouches for a new one until its code was given back. Pure.

import type { ContactNumber } from './person.ts';

/** Returns the numbers as they are stored: verified only where the address was verified before and is still the same. */
export function ownNumbers(sent: readonly ContactNumber[], stored: readonly ContactNumber[]): readonly ContactNumber[] {
  const byId = new Map(stored.map((number) => [number.id, number]));
  return sent.map((number) => {
    const known = byId.get(number.id);
    const isSame = known !== undefined && known.channel === number.channel && known.address === number.address;
    return { ...number, verified: isSame && known.verified };
  });
}
