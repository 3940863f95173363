// The lease of the node that decides on calls: two that did at the same time would undo each other's decisions.

import { getMeta, removeMeta, setMeta } from '../../../store/meta.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../../store/store.ts';

const key = 'calling-lease';
/** After this time another node decides instead of one that was lost. */
const leaseMs = 15_000;

type Lease = { readonly node: string; readonly until: Instant };

/** Takes the lease, or keeps it. Returns until when the node has it; undefined: another one has. */
export const takeCallingLease: Operation<{ readonly node: string }, Instant | undefined> = {
  name: 'take-calling-lease',
  async run(tx, now, { node }) {
    if (isOfOther(await readLease(tx), node, now)) return undefined;
    const until = now + leaseMs;
    await setMeta(tx, key, JSON.stringify({ node, until } satisfies Lease));
    return until;
  },
};

/** Lets another node decide at once. */
export const releaseCallingLease: Operation<{ readonly node: string }, void> = {
  name: 'release-calling-lease',
  async run(tx, _now, { node }) {
    if ((await readLease(tx))?.node === node) await removeMeta(tx, key);
  },
};

/** Whether the node may carry out what it decided: no other has taken the lease since. */
export async function holdsCallingLease(tx: Tx, now: Instant, node: string): Promise<boolean> {
  return !isOfOther(await readLease(tx), node, now);
}

/** One that lasts longer than any was taken before the clock was set back. */
function isOfOther(lease: Lease | undefined, node: string, now: Instant): boolean {
  return (
    lease !== undefined && lineOf(lease.node) !== lineOf(node) && lease.until > now && lease.until <= now + leaseMs
  );
}

/** A node that was started again in its folder has the lock of that, so that the one before it is gone (src/app/open-node-store.ts). */
function lineOf(node: string): string {
  const end = node.lastIndexOf('.');
  return end < 0 ? node : node.slice(0, end);
}

async function readLease(tx: ReadTx): Promise<Lease | undefined> {
  const stored = await getMeta(tx, key);
  return stored === undefined ? undefined : (JSON.parse(stored) as Lease);
}
