// Asks which work on many rows is left that is done in pieces.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query } from '../../store/store.ts';
import { isDueAcknowledgement } from '../history/pending-acknowledgements.ts';
import { isDueMove } from '../plant/pending-move-rows.ts';

/** The rows whose turn it is. */
type Left = { readonly acknowledgement: number | undefined; readonly move: number | undefined };

export const findPendingWork: Query<{ readonly now: Instant }, Left> = {
  name: 'find-pending-work',
  isQuick: true,
  async run(tx, { now }) {
    const left = await tx.one(selectLeft, { now });
    return { acknowledgement: left?.acknowledgement ?? undefined, move: left?.move ?? undefined };
  },
};

const selectLeft = sqlStatement<{ now: Instant }, { acknowledgement: number | null; move: number | null }>(
  (args) => sql`select (select id from ${table('pending_acknowledgements')} where ${isDueAcknowledgement(args.now)}
      order by id limit 1) as acknowledgement,
    (select id from ${table('pending_moves')} where ${isDueMove(args.now)} order by id limit 1) as move`,
);
