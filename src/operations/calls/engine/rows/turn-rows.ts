// The rows that say who was called last in each group that calls its members in turn.

import { statement } from '../../../../store/statement.ts';
import type { Tx } from '../../../../store/store.ts';

export const selectTurns = statement((db) => db.selectFrom('call_turns').select(['group_id', 'user_id']));

const updateTurn = statement((db, args: { groupId: number; userId: number }) =>
  db.updateTable('call_turns').set({ user_id: args.userId }).where('group_id', '=', args.groupId),
);

const insertTurn = statement((db, args: { groupId: number; userId: number }) =>
  db.insertInto('call_turns').values({ group_id: args.groupId, user_id: args.userId }),
);

/** Stores the person of a group who was called last. */
export async function storeTurn(tx: Tx, groupId: number, userId: number): Promise<void> {
  if ((await tx.run(updateTurn, { groupId, userId })) === 0) await tx.run(insertTurn, { groupId, userId });
}
