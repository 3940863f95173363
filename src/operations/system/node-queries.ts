// Finds the address of a node, and which nodes that providers are tied to are gone.

import { statement } from '../../store/statement.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';

const selectNode = statement((db, args: { id: string; since: Instant }) =>
  db.selectFrom('nodes').select('address').where('id', '=', args.id).where('seen_at', '>=', args.since),
);

/** Returns the address of a node seen since `since`. */
export const findNode: Query<{ id: string; since: Instant }, string | undefined> = {
  name: 'find-node',
  isQuick: true,
  run: async (tx, args) => (await tx.one(selectNode, args))?.address,
};

/** A provider that is tied to a node not seen for this long is down. */
const goneAfterMs = 15_000;

const selectSeen = statement((db, args: { since: Instant }) =>
  db.selectFrom('nodes').select('name').distinct().where('seen_at', '>=', args.since),
);

/** Whether no node of this name runs. */
export const isNodeGone: Query<{ readonly name: string; readonly now: Instant }, boolean> = {
  name: 'is-node-gone',
  run: async (tx, { name, now }) => (await goneNodes(tx, [{ node: name }], now)).has(name),
};

/**
 * Returns the names of nodes that providers are tied to and that are gone. While a node of an earlier version runs, which
 * does not say its name, none counts as gone.
 */
export async function goneNodes(
  tx: ReadTx,
  providers: readonly { readonly node: string | undefined }[],
  now: Instant,
  ownName?: string,
): Promise<ReadonlySet<string>> {
  const others = new Set(providers.flatMap(({ node }) => (node === undefined || node === ownName ? [] : [node])));
  if (others.size === 0) return others;
  const seen = (await tx.all(selectSeen, { since: now - goneAfterMs })).map(({ name }) => name);
  return new Set(seen.includes(null) ? [] : [...others].filter((name) => !seen.includes(name)));
}
