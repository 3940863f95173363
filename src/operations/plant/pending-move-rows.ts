// The rows of moves and new names of tags that are still to be carried out.

import { deleteRows, insertRows, updateRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { Tx } from '../../store/store.ts';

type PendingMove = {
  readonly dataServerId: number;
  /** Undefined if the tags take the new name of their data server. */
  readonly movedTo: number | undefined;
  readonly afterId: number;
  readonly actor: string;
};

export async function addPendingMove(tx: Tx, { dataServerId, movedTo, afterId, actor }: PendingMove): Promise<void> {
  const row = { data_server_id: dataServerId, moved_to: movedTo ?? null, after_id: afterId, actor };
  await tx.each(pendingMoveRows.insert, [row]);
}

export const pendingMoveRows = {
  insert: insertRows('pending_moves', { data_server_id: 'int', moved_to: 'int', after_id: 'int', actor: 'text' }),
  advance: updateRows('pending_moves', { id: 'int' }, { after_id: 'int' }),
  remove: deleteRows('pending_moves', { id: 'int' }),
};

export const selectFirstMove = statement((db) =>
  db
    .selectFrom('pending_moves')
    .select(['id', 'data_server_id', 'moved_to', 'after_id', 'actor'])
    .orderBy('id')
    .limit(1),
);
