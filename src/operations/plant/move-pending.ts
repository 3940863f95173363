// Carries out moves and new names of many tags, a piece at a time.

import { systemCaller } from '../../domain/access/access.ts';
import type { Operation } from '../../store/store.ts';
import { renameAlarms } from '../alarms/rename.ts';
import { type PieceWorker, takeLease } from '../system/pending-lease.ts';
import { movePiece } from './move-tags.ts';
import { pendingMoveRows, selectFirstMove } from './pending-move-rows.ts';
import { findEntry } from './queries.ts';

/** Carries out a piece of what is left. */
export const movePending: Operation<PieceWorker, void> = {
  name: 'move-pending',
  async run(tx, now, worker) {
    const [row] = await tx.all(selectFirstMove, { now });
    if (row === undefined || !(await takeLease(tx, now, worker))) return;
    const { id, data_server_id: from, moved_to: movedTo, after_id: afterId, actor } = row;
    const server = await findEntry(tx, 'dataServer', movedTo ?? from, systemCaller);
    let next: number | undefined;
    if (server !== undefined && movedTo !== null)
      next = (await movePiece(tx, now, { from, to: server, actor })) ? afterId : undefined;
    else if (server !== undefined) next = await renameAlarms(tx, now, server, { by: { actor }, afterId });
    if (next === undefined) await tx.each(pendingMoveRows.remove, [{ id }]);
    else if (next !== afterId) await tx.each(pendingMoveRows.advance, [{ id, after_id: next }]);
  },
};
