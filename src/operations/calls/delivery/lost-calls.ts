// The deliveries that were under way on a node which is lost, as their providers know them.

import { sql } from 'kysely';
import { statement } from '../../../store/statement.ts';
import type { Instant, Query } from '../../../store/store.ts';

export type LostCall = { readonly id: number; readonly providerId: number; readonly ref: string };

/** As many as a node carries at once. */
const mostLost = 2_000;

/** Returns the attempts under way whose lease has lapsed and whose provider has taken them. */
export const listLostCalls: Query<{ readonly now: Instant }, readonly LostCall[]> = {
  name: 'list-lost-calls',
  isQuick: true,
  async run(tx, { now }) {
    const rows = await tx.all(selectLost, { now, limit: mostLost });
    return rows.flatMap(({ id, provider_id, provider_ref }) =>
      provider_id === null || provider_ref === null ? [] : [{ id, providerId: provider_id, ref: provider_ref }],
    );
  },
};

const selectLost = statement((db, args: { now: Instant; limit: number }) =>
  db
    .selectFrom('call_attempts')
    .select(['id', 'provider_id', 'provider_ref'])
    .where('state', '=', sql.lit('started'))
    .where('lease_until', '<=', args.now)
    .where('provider_ref', 'is not', null)
    .limit(args.limit),
);
