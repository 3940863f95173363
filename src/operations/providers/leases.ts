// Leases on what only one node may hold of a provider, such as a registration or a mailbox.

import { statement } from '../../store/statement.ts';
import type { Instant, Operation } from '../../store/store.ts';

type Hold = { readonly providerIds: readonly number[]; readonly node: string; readonly leaseMs: number };

const selectLeases = statement((db) => db.selectFrom('provider_leases').select(['provider_id', 'node', 'until']));

const putLease = statement((db, args: { id: number; node: string; until: Instant }) =>
  db
    .insertInto('provider_leases')
    .values({ provider_id: args.id, node: args.node, until: args.until })
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet({ node: args.node, until: args.until })),
);

const removeLeases = statement((db, args: { node: string }) =>
  db.deleteFrom('provider_leases').where('node', '=', args.node),
);

/** Renews the leases of the node and takes those that are free; returns the ids of the providers it holds. */
export const holdProviders: Operation<Hold, readonly number[]> = {
  name: 'hold-providers',
  async run(tx, now, { providerIds, node, leaseMs }) {
    const leases = new Map((await tx.all(selectLeases, {})).map((lease) => [lease.provider_id, lease]));
    const held = providerIds.filter((id) => {
      const lease = leases.get(id);
      return lease === undefined || lease.node === node || lease.until <= now;
    });
    for (const id of held) await tx.run(putLease, { id, node, until: now + leaseMs });
    return held;
  },
};

/** Gives back the leases of a node that stops. */
export const releaseProviders: Operation<{ readonly node: string }, void> = {
  name: 'release-providers',
  run: async (tx, _now, { node }) => void (await tx.run(removeLeases, { node })),
};
