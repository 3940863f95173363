// Asks whether work on many rows is left that is done in pieces.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Query } from '../../store/store.ts';

type Left = { readonly acknowledgements: boolean; readonly moves: boolean };

export const findPendingWork: Query<Record<string, never>, Left> = {
  name: 'find-pending-work',
  isQuick: true,
  async run(tx) {
    const left = await tx.one(selectLeft, {});
    return { acknowledgements: left?.acknowledgements === 1, moves: left?.moves === 1 };
  },
};

const selectLeft = sqlStatement<Record<string, never>, { acknowledgements: number; moves: number }>(
  () => sql`select case when exists (select 1 from ${table('pending_acknowledgements')}) then 1 else 0 end as acknowledgements,
    case when exists (select 1 from ${table('pending_moves')}) then 1 else 0 end as moves`,
);
