// The lease of the node that works off what is done in pieces: if all nodes did so at once, each would undo the others' writes.

import { getMeta, removeMeta, setMeta } from '../../store/meta.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';

/** Who works off pieces. */
export type PieceWorker = { readonly node: string };

const key = 'pending-work';
/** After this time another node goes on with the work of one that has ended. */
const leaseMs = 10_000;

type Lease = { readonly node: string; readonly until: Instant };

/** Takes the lease, or keeps it. Returns whether the node has it. */
export async function takeLease(tx: Tx, now: Instant, { node }: PieceWorker): Promise<boolean> {
  const lease = await readLease(tx);
  if (isOfOther(lease, node, now)) return false;
  const isLong = lease?.node === node && lease.until > now + leaseMs / 2 && lease.until <= now + leaseMs;
  if (!isLong) await setMeta(tx, key, JSON.stringify({ node, until: now + leaseMs } satisfies Lease));
  return true;
}

/** Whether another node works off pieces. */
export async function isLeasedToOther(tx: ReadTx, now: Instant, { node }: PieceWorker): Promise<boolean> {
  return isOfOther(await readLease(tx), node, now);
}

/** Lets another node go on at once. */
export const releasePendingWork: Operation<PieceWorker, void> = {
  name: 'release-pending-work',
  async run(tx, _now, { node }) {
    if ((await readLease(tx))?.node === node) await removeMeta(tx, key);
  },
};

/** One that lasts longer than any was taken before the clock was set back. */
function isOfOther(lease: Lease | undefined, node: string, now: Instant): boolean {
  return lease !== undefined && lease.node !== node && lease.until > now && lease.until <= now + leaseMs;
}

async function readLease(tx: ReadTx): Promise<Lease | undefined> {
  const stored = await getMeta(tx, key);
  return stored === undefined ? undefined : (JSON.parse(stored) as Lease);
}
