// What the nodes of one database share: the key they sign with, and where each of them is.

import { statement } from '../../store/statement.ts';
import type { Instant, Operation } from '../../store/store.ts';

/** The key that all nodes sign hub tokens with; `fresh` becomes it where there is none yet. */
export const shareHubKey: Operation<{ readonly fresh: string }, string> = {
  name: 'share-hub-key',
  async run(tx, _now, { fresh }) {
    const kept = await tx.one(selectKey, {});
    if (kept !== undefined) return kept.value;
    await tx.run(insertKey, { key: fresh });
    return fresh;
  },
};

/** A node that has not been seen for this long is gone. */
export const forgottenAfterMs = 30_000;

/** A node says that it is there, and forgets those that are not. */
export const greetNodes: Operation<{ readonly id: string; readonly address: string }, void> = {
  name: 'greet-nodes',
  async run(tx, now, { id, address }) {
    await tx.run(removeGone, { before: now - 10 * forgottenAfterMs });
    if ((await tx.run(updateNode, { id, address, now })) === 0) await tx.run(insertNode, { id, address, now });
  },
};

export const leaveNodes: Operation<{ readonly id: string }, void> = {
  name: 'leave-nodes',
  run: async (tx, _now, { id }) => void (await tx.run(removeNode, { id })),
};

const hubKey = 'hub-key';

const selectKey = statement((db) => db.selectFrom('meta').select('value').where('key', '=', hubKey));

const insertKey = statement<{ key: string }>((db, args) =>
  db.insertInto('meta').values({ key: hubKey, value: args.key }),
);

type NodeRow = { id: string; address: string; now: Instant };

const insertNode = statement<NodeRow>((db, args) =>
  db.insertInto('nodes').values({ id: args.id, address: args.address, seen_at: args.now }),
);

const updateNode = statement<NodeRow>((db, args) =>
  db.updateTable('nodes').set({ address: args.address, seen_at: args.now }).where('id', '=', args.id),
);

const removeNode = statement<{ id: string }>((db, args) => db.deleteFrom('nodes').where('id', '=', args.id));

const removeGone = statement<{ before: Instant }>((db, args) =>
  db.deleteFrom('nodes').where('seen_at', '<', args.before),
);
