// The leases of attempts: renewed by the node that carries them, and ended for nodes that are known to have ended.

import type { Operation } from '../../../store/store.ts';
import { lapseAttempts, renewAttempts, selectHeld, selectHeldAndWanted } from '../attempts.ts';

/** Ends the leases of nodes that are known to have ended, by the prefix of their ids; run when a server starts. */
export const lapseLeases: Operation<{ readonly ofNodes: string }, void> = {
  name: 'lapse-leases',
  async run(tx, now, { ofNodes }) {
    await tx.run(lapseAttempts, { now, nodes: `${ofNodes}%` });
  },
};

type LeaseInput = {
  readonly node: string;
  readonly leaseMs: number;
  readonly attemptIds: readonly number[];
  /** Selects only attempts still wanted: a person may have acknowledged since they were taken. */
  readonly isBeforeDelivery?: boolean;
};

/** Renews leases; returns the ids of the attempts this node still holds. */
export const renewLeases: Operation<LeaseInput, readonly number[]> = {
  name: 'renew-leases',
  async run(tx, now, { node, leaseMs, attemptIds, isBeforeDelivery = false }) {
    const select = isBeforeDelivery ? selectHeldAndWanted : selectHeld;
    const held = await tx.all(select, { ids: JSON.stringify(attemptIds), node });
    const ids = held.map(({ id }) => id);
    if (ids.length > 0) await tx.run(renewAttempts, { ids: JSON.stringify(ids), until: now + leaseMs });
    return ids;
  },
};
