// Operations of the nodes that share a database: the common signing key and the list of nodes.

import { appendEvents } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { removeUnopenedOfGone } from '../providers/unopened.ts';
import { takeStock, withdrawNodeScripts } from '../scripts/node-scripts.ts';
import { endTroublesOfGone } from './node-alarms.ts';
import { comesBack, isTied } from './node-queries.ts';

/** Returns the key that all nodes sign hub tokens with; stores `fresh` as the key when there is none yet. */
export const shareHubKey: Operation<{ readonly fresh: string }, string> = {
  name: 'share-hub-key',
  async run(tx, _now, { fresh }) {
    const stored = await tx.one(selectKey, {});
    if (stored !== undefined) return stored.value;
    await tx.run(insertKey, { key: fresh });
    return fresh;
  },
};

/** A node not seen for this long is treated as gone. */
export const forgottenAfterMs = 30_000;

/** Records that a node is alive, and removes nodes that are long gone. */
export const announceNode: Operation<Omit<NodeRow, 'now'>, void> = {
  name: 'announce-node',
  async run(tx, now, node) {
    const isBack = await comesBack(tx, node, now);
    const hasRemoved = (await tx.run(removeGone, { before: now - 10 * forgottenAfterMs })) > 0;
    if ((await tx.run(updateNode, { ...node, now })) === 0) await tx.run(insertNode, { ...node, now });
    if (isBack) await noteChanged(tx, now, node.name);
    if (!hasRemoved) return;
    await takeStock(tx, now, node.id);
    await endTroublesOfGone(tx, now);
    await removeUnopenedOfGone(tx);
  },
};

/** The node counts as gone at once. Its row stays as after a crash, and with it its scripts: it may be back soon. */
export const withdrawNode: Operation<{ readonly id: string }, void> = {
  name: 'withdraw-node',
  async run(tx, now, { id }) {
    await tx.run(setSeen, { id, seenAt: now - forgottenAfterMs - 1 });
    const name = (await tx.one(selectName, { id }))?.name ?? '';
    if (await isTied(tx, name)) await noteChanged(tx, now, name);
    await withdrawNodeScripts(tx, now, id);
  },
};

/** Calls are decided on by it: providers may be tied to the node. */
function noteChanged(tx: Tx, now: Instant, node: string): Promise<void> {
  return appendEvents(tx, [{ kind: 'node.changed', actor: 'system', at: now, data: { node } }]);
}

const hubKey = 'hub-key';

const selectKey = statement((db) => db.selectFrom('meta').select('value').where('key', '=', hubKey));

const insertKey = statement<{ key: string }>((db, args) =>
  db.insertInto('meta').values({ key: hubKey, value: args.key }),
);

type NodeRow = { readonly id: string; readonly name: string; readonly address: string; readonly now: Instant };

const insertNode = statement<NodeRow>((db, args) =>
  db.insertInto('nodes').values({ id: args.id, name: args.name, address: args.address, seen_at: args.now }),
);

const updateNode = statement<NodeRow>((db, args) =>
  db.updateTable('nodes').set({ name: args.name, address: args.address, seen_at: args.now }).where('id', '=', args.id),
);

const selectName = statement((db, args: { id: string }) =>
  db.selectFrom('nodes').select('name').where('id', '=', args.id),
);

const setSeen = statement<{ id: string; seenAt: Instant }>((db, args) =>
  db.updateTable('nodes').set({ seen_at: args.seenAt }).where('id', '=', args.id),
);

const removeGone = statement<{ before: Instant }>((db, args) =>
  db.deleteFrom('nodes').where('seen_at', '<', args.before),
);
