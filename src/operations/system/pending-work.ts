// Asks which work on many rows is left that is done in pieces.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query } from '../../store/store.ts';
import { isDueAcknowledgement } from '../history/pending-acknowledgements.ts';
import { isDueMove } from '../plant/pending-move-rows.ts';
import { isLeasedToOther, type PieceWorker } from './pending-lease.ts';
import { suspectsLast } from './set-aside-rows.ts';

/** The rows whose turn it is; none while another node works off pieces. */
type Left = { readonly acknowledgement: number | undefined; readonly move: number | undefined };

const nothing: Left = { acknowledgement: undefined, move: undefined };

export const findPendingWork: Query<PieceWorker & { readonly now: Instant }, Left> = {
  name: 'find-pending-work',
  isQuick: true,
  async run(tx, { now, node }) {
    const left = await tx.one(selectLeft, { now });
    const isLeft = left !== undefined && (left.acknowledgement !== null || left.move !== null);
    if (!isLeft || (await isLeasedToOther(tx, now, { node }))) return nothing;
    return { acknowledgement: left.acknowledgement ?? undefined, move: left.move ?? undefined };
  },
};

const selectLeft = sqlStatement<{ now: Instant }, { acknowledgement: number | null; move: number | null }>(
  (args) => sql`select (select id from ${table('pending_acknowledgements')} where ${isDueAcknowledgement(args.now)}
      order by ${suspectsLast('acknowledgement', 'pending_acknowledgements.id')} limit 1) as acknowledgement,
    (select id from ${table('pending_moves')} where ${isDueMove(args.now)}
      order by ${suspectsLast('move', 'pending_moves.id')} limit 1) as move`,
);
