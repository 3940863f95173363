// The rows of moves and new names of tags that are still to be carried out.

import { sql } from 'kysely';
import { deleteRows, insertRows, updateRows } from '../../store/row-batch.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { isNotSetAside, suspectsLast } from '../system/set-aside-rows.ts';

type PendingMove = {
  readonly dataServerId: number;
  /** Undefined if the tags take the new name of their data server. */
  readonly movedTo: number | undefined;
  readonly afterId: number;
  readonly actor: string;
};

/** It replaces what is left of an earlier move, or of an earlier name: the tags that this one finds go where it says. */
export async function addPendingMove(tx: Tx, { dataServerId, movedTo, afterId, actor }: PendingMove): Promise<void> {
  const row = { data_server_id: dataServerId, moved_to: movedTo ?? null, after_id: afterId, actor };
  await tx.run(movedTo === undefined ? removeRenames : removeMoves, { dataServerId });
  await tx.each(pendingMoveRows.insert, [row]);
}

export const pendingMoveRows = {
  insert: insertRows('pending_moves', { data_server_id: 'int', moved_to: 'int', after_id: 'int', actor: 'text' }),
  advance: updateRows('pending_moves', { id: 'int' }, { after_id: 'int' }),
  remove: deleteRows('pending_moves', { id: 'int' }),
};

const removeMoves = statement<{ dataServerId: number }>((db, args) =>
  db.deleteFrom('pending_moves').where('data_server_id', '=', args.dataServerId).where('moved_to', 'is not', null),
);

const removeRenames = statement<{ dataServerId: number }>((db, args) =>
  db.deleteFrom('pending_moves').where('data_server_id', '=', args.dataServerId).where('moved_to', 'is', null),
);

type PendingMoveRow = { id: number; data_server_id: number; moved_to: number | null; after_id: number; actor: string };

export const selectFirstMove = sqlStatement<{ now: Instant }, PendingMoveRow>(
  (args) => sql`select id, data_server_id, moved_to, after_id, actor from ${table('pending_moves')}
    where ${isDueMove(args.now)} order by ${suspectsLast('move', 'pending_moves.id')} limit 1`,
);

/** Whether a row of `pending_moves` is not set aside. */
export function isDueMove(now: Instant) {
  return isNotSetAside('move', 'pending_moves.id', now);
}

export const selectMovedTo = statement((db, args: { movedTo: number }) =>
  db.selectFrom('pending_moves').select('data_server_id').where('moved_to', '=', args.movedTo),
);
