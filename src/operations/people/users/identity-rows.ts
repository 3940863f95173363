// The rows of the identities of users: the accounts that their answers may come from.

import { sql } from 'kysely';
import type { Identity } from '../../../domain/people/entities.ts';
import { insertRows } from '../../../store/row-batch.ts';
import { sqlStatement, statement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { ReadTx, Tx } from '../../../store/store.ts';
import { type Ids, idsArgument, isAmong } from '../../named-rows.ts';

declare module '../../../store/tables.ts' {
  interface Tables {
    /** `folded` is the address in small letters: two that differ by case alone are the same account. */
    user_identities: { user_id: number; place: number; kind: string; address: string; folded: string };
  }
}

export function foldIdentity(address: string): string {
  return address.toLowerCase();
}

export async function putIdentities(tx: Tx, userId: number, identities: readonly Identity[]): Promise<void> {
  await tx.run(removeIdentities, { userId });
  await tx.each(
    insertIdentities,
    identities.map(({ kind, address }, place) => ({
      user_id: userId,
      place,
      kind,
      address,
      folded: foldIdentity(address),
    })),
  );
}

/** Returns the identities by user id, in their order. */
export async function loadIdentities(tx: ReadTx, which: Ids): Promise<ReadonlyMap<number, readonly Identity[]>> {
  const args = idsArgument(which);
  if (args === undefined) return new Map();
  const byUser = Map.groupBy(await tx.all(selectIdentities, args), ({ user_id }) => user_id);
  return new Map(
    [...byUser].map(([id, rows]) => [
      id,
      rows.map(({ kind, address }) => ({ kind: kind as Identity['kind'], address })),
    ]),
  );
}

const selectIdentities = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('user_identities')
    .select(['user_id', 'kind', 'address'])
    .where(isAmong('user_id', args.ids, kind))
    .orderBy('user_id')
    .orderBy('place'),
);

export const selectHolders = sqlStatement<{ folded: string }, { user_id: number; kind: string; folded: string }>(
  (args, kind) => sql`select user_id, kind, folded from ${table('user_identities')}
    where folded in (select value from ${textRows(args.folded, kind)})`,
);

const removeIdentities = statement<{ userId: number }>((db, args) =>
  db.deleteFrom('user_identities').where('user_id', '=', args.userId),
);

const insertIdentities = insertRows('user_identities', {
  user_id: 'int',
  place: 'int',
  kind: 'text',
  address: 'text',
  folded: 'text',
});
