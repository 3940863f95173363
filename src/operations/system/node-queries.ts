// Finds the address of a node.

import { statement } from '../../store/statement.ts';
import type { Instant, Query } from '../../store/store.ts';

const selectNode = statement((db, args: { id: string; since: Instant }) =>
  db.selectFrom('nodes').select('address').where('id', '=', args.id).where('seen_at', '>=', args.since),
);

/** Returns the address of a node seen since `since`. */
export const findNode: Query<{ id: string; since: Instant }, string | undefined> = {
  name: 'find-node',
  isQuick: true,
  run: async (tx, args) => (await tx.one(selectNode, args))?.address,
};
