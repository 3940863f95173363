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

/** Also of nodes of earlier versions, which do not say their names. */
const selectLastSeen = statement((db, args: { since: Instant }) =>
  db
    .selectFrom('nodes')
    .select(({ fn }) => ['name', fn.max('seen_at').as('seen_at')])
    .where('seen_at', '>=', args.since)
    .groupBy('name'),
);

const selectSeen = statement((db, args: { since: Instant }) =>
  db.selectFrom('nodes').select('name').distinct().where('seen_at', '>=', args.since),
);

/** Returns the ids of the other nodes that run. */
export async function otherNodes(tx: ReadTx, now: Instant, node: string): Promise<readonly string[]> {
  const seen = await tx.all(selectSeenIds, { since: now - goneAfterMs });
  return seen.map(({ id }) => id).filter((id) => id !== node);
}

const selectSeenIds = statement((db, args: { since: Instant }) =>
  db.selectFrom('nodes').select('id').where('seen_at', '>=', args.since),
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

/** When the next of the nodes that providers are tied to counts as gone, unless it is seen again. */
export async function nextGoneAt(
  tx: ReadTx,
  providers: readonly { readonly node: string | undefined }[],
  now: Instant,
): Promise<Instant | undefined> {
  const tied = new Set(providers.flatMap(({ node }) => node ?? []));
  if (tied.size === 0) return undefined;
  const seen = await tx.all(selectLastSeen, { since: now - goneAfterMs });
  const ends = seen.flatMap((one) => (one.name === null || tied.has(one.name) ? [one.seen_at + goneAfterMs + 1] : []));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

type NodeName = { readonly id: string; readonly name: string };

/** Whether providers are tied to the node, and it was gone until now. */
export async function comesBack(tx: ReadTx, { id, name }: NodeName, now: Instant): Promise<boolean> {
  if (!(await isTied(tx, name))) return false;
  const seenAt = (await tx.one(selectSeenAt, { id }))?.seen_at;
  return seenAt === undefined || seenAt < now - goneAfterMs;
}

/** Whether providers are tied to the node. */
export async function isTied(tx: ReadTx, name: string): Promise<boolean> {
  return (await tx.one(anyTied, { name })) !== undefined;
}

const anyTied = statement((db, args: { name: string }) =>
  db.selectFrom('providers').select('id').where('node', '=', args.name).limit(1),
);

const selectSeenAt = statement((db, args: { id: string }) =>
  db.selectFrom('nodes').select('seen_at').where('id', '=', args.id),
);
