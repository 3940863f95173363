// An identity is of one person alone: refuses one that somebody has already.

import type { Identity } from '../../../domain/people/entities.ts';
import type { ReadTx } from '../../../store/store.ts';
import { refuseFields } from '../refusals.ts';
import { foldIdentity as fold, selectHolders } from './identity-rows.ts';

/** Refuses identities that another user has, or that are listed twice. */
export async function refuseTakenIdentities(
  tx: ReadTx,
  userId: number | undefined,
  identities: readonly Identity[],
): Promise<void> {
  const folded = JSON.stringify(identities.map(({ address }) => fold(address)));
  const taken = identities.length === 0 ? [] : await tx.all(selectHolders, { folded });
  const isTaken = ({ kind, address }: Identity, index: number): boolean =>
    taken.some((row) => row.user_id !== userId && row.kind === kind && row.folded === fold(address)) ||
    identities.slice(0, index).some((other) => other.kind === kind && fold(other.address) === fold(address));
  refuseFields(
    identities.flatMap((identity, index) =>
      isTaken(identity, index)
        ? [{ field: `identities[${index}].address`, message: 'is an identity that somebody has already' }]
        : [],
    ),
  );
}
