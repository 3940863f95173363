// Works off what is done in pieces: acknowledgements of many occurrences, and moves and new names of many tags. Between two
// pieces others write.

import { acknowledgePending } from '../../operations/history/pending-acknowledgements.ts';
import { movePending } from '../../operations/plant/move-pending.ts';
import { findPendingWork } from '../../operations/system/pending-work.ts';
import type { Operation, Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';

const pollEveryMs = 500;

type Piece = Operation<Record<string, never>, boolean>;

export function startPendingWork(store: Store, onTrouble: (error: unknown) => void): PollingLoop {
  const loop: PollingLoop = new PollingLoop(pollEveryMs, work, onTrouble);

  async function work(): Promise<void> {
    const { acknowledgements, moves } = await store.read(findPendingWork, {});
    // One that fails does not hold up the other.
    if (acknowledgements) await workOff(acknowledgePending).catch(onTrouble);
    if (moves) await workOff(movePending).catch(onTrouble);
  }

  async function workOff(piece: Piece): Promise<void> {
    for (let hasMore = true; hasMore && !loop.isStopped; ) hasMore = await store.write(piece, {});
  }

  return loop;
}
