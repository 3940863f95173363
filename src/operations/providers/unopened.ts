// Which nodes cannot open which providers: as long as another node can, its calls are left to that one, and it is not down.

import { statement } from '../../store/statement.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import { endProvidersUnopened, reportProvidersUnopened } from '../system/node-alarms.ts';
import { otherNodes } from '../system/node-queries.ts';

export type Unopened = { readonly providerId: number; readonly name: string; readonly reason: string };

type NodeOfProviders = { readonly node: string; readonly nodeName: string; readonly unopened: readonly Unopened[] };

/** Stores which providers the node cannot open now; returns the ids of those whose calls are left to another running node. */
export const noteUnopened: Operation<NodeOfProviders, readonly number[]> = {
  name: 'note-unopened-providers',
  async run(tx, now, { node, nodeName, unopened }) {
    await replaceRows(tx, node, unopened);
    const elsewhere = await leftToOthers(tx, now, node);
    const left = unopened.filter(({ providerId }) => elsewhere.has(providerId));
    // Of what no node may carry the alarms about the providers speak.
    if (left.length === 0) await endProvidersUnopened(tx, now, nodeName);
    else await reportProvidersUnopened(tx, now, { node: nodeName, providers: left.map(({ name }) => name) });
    return [...elsewhere];
  },
};

async function replaceRows(tx: Tx, node: string, unopened: readonly Unopened[]): Promise<void> {
  const stored = new Map((await tx.all(selectOf, { node })).map((row) => [row.provider_id, row.reason]));
  for (const { providerId, reason } of unopened) {
    if (stored.get(providerId) !== reason) await tx.run(put, { providerId, node, reason });
    stored.delete(providerId);
  }
  for (const providerId of stored.keys()) await tx.run(remove, { providerId, node });
}

/** Returns the providers that the node cannot open, and another running node can. */
async function openElsewhere(tx: ReadTx, now: Instant, node: string): Promise<ReadonlySet<number>> {
  const own = await tx.all(selectOf, { node });
  if (own.length === 0) return new Set();
  const others = await otherNodes(tx, now, node);
  const rows = await tx.all(selectAll, {});
  const isOpenOn = (id: number, other: string): boolean =>
    !rows.some((row) => row.provider_id === id && row.node === other);
  return new Set(own.map(({ provider_id }) => provider_id).filter((id) => others.some((other) => isOpenOn(id, other))));
}

/** Returns the providers whose calls the node leaves to others: no other carries what is tied to this one, although it can open it. */
export async function leftToOthers(tx: ReadTx, now: Instant, node: string): Promise<ReadonlySet<number>> {
  const ids = await openElsewhere(tx, now, node);
  if (ids.size === 0) return ids;
  const tied = new Set((await tx.all(selectTiedTo, { node })).map(({ id }) => id));
  return ids.difference(tied);
}

const selectTiedTo = statement((db, args: { node: string }) =>
  db
    .selectFrom('providers')
    .select('id')
    .where('node', '=', (nodes) => nodes.selectFrom('nodes').select('name').where('id', '=', args.node)),
);

/** Returns the providers that each node cannot open, with the reasons. */
export async function unopenedByNode(tx: ReadTx): Promise<ReadonlyMap<string, readonly Omit<Unopened, 'name'>[]>> {
  const rows = await tx.all(selectAll, {});
  return new Map(
    [...Map.groupBy(rows, ({ node }) => node)].map(([node, ofNode]) => [
      node,
      ofNode.map(({ provider_id, reason }) => ({ providerId: provider_id, reason })),
    ]),
  );
}

/** Removes what nodes that are gone for long have stored. */
export async function removeUnopenedOfGone(tx: Tx): Promise<void> {
  await tx.run(removeOfGone, {});
}

const selectOf = statement((db, args: { node: string }) =>
  db.selectFrom('unopened_providers').select(['provider_id', 'reason']).where('node', '=', args.node),
);

const selectAll = statement((db) =>
  db.selectFrom('unopened_providers').select(['provider_id', 'node', 'reason']).orderBy('provider_id'),
);

const put = statement<{ providerId: number; node: string; reason: string }>((db, args) =>
  db
    .insertInto('unopened_providers')
    .values({ provider_id: args.providerId, node: args.node, reason: args.reason })
    .onConflict((conflict) => conflict.columns(['provider_id', 'node']).doUpdateSet({ reason: args.reason })),
);

const remove = statement<{ providerId: number; node: string }>((db, args) =>
  db.deleteFrom('unopened_providers').where('provider_id', '=', args.providerId).where('node', '=', args.node),
);

const removeOfGone = statement((db) =>
  db.deleteFrom('unopened_providers').where('node', 'not in', (nodes) => nodes.selectFrom('nodes').select('id')),
);
