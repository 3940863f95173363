// The people whom a message from an address may be from: those with a number of the channel or an identity there.

import type { ReadTx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { foldIdentity, selectHolders } from '../../people/users/identity-rows.ts';

/** Returns their ids, those with an identity first: that is one person alone. */
export async function sendersAt(tx: ReadTx, channel: string, address: string): Promise<readonly number[]> {
  const folded = foldIdentity(address);
  const holders = await tx.all(selectHolders, { folded: JSON.stringify([folded]) });
  const { snapshot } = await readCallConfiguration(tx);
  const owners = [...snapshot.people.values()].filter(({ numbers }) =>
    numbers.some((number) => number.channel === channel && number.verified && foldIdentity(number.address) === folded),
  );
  const byIdentity = holders.filter(({ kind }) => kind === channel).map(({ user_id }) => user_id);
  return [...new Set([...byIdentity, ...owners.map(({ id }) => id)])];
}
