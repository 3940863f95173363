// Works off what is done in pieces: acknowledgements of many occurrences, and moves and new names of many tags. Between two
// pieces others write.

import type { Clock } from '../../clock.ts';
import { acknowledgePending } from '../../operations/history/pending-acknowledgements.ts';
import { movePending } from '../../operations/plant/move-pending.ts';
import { releasePendingWork } from '../../operations/system/pending-lease.ts';
import { findPendingWork } from '../../operations/system/pending-work.ts';
import type { Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';
import type { StoredWork } from '../stored-work.ts';
import { DueRows, type DueRun } from './due-rows.ts';

const pollEveryMs = 500;

const pieces = { acknowledgement: acknowledgePending, move: movePending } as const;

type Kind = keyof typeof pieces;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeId: string;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
};

export type PendingWork = { readonly loop: PollingLoop; readonly stop: () => Promise<void> };

export function startPendingWork({ store, clock, nodeId, work: storedWork, onTrouble }: Parts): PendingWork {
  // A SQLite database has one node: what it left when it was killed, it goes on with at once.
  const worker = { node: store.kind === 'sqlite' ? 'sqlite' : nodeId };
  let hasWorked = false;
  const rows = new DueRows({ store, clock, work: storedWork, onTrouble });
  const loop: PollingLoop = new PollingLoop(pollEveryMs, work, onTrouble);

  async function work(): Promise<void> {
    // One that fails does not hold up the other.
    for (const kind of ['acknowledgement', 'move'] as const) await workOff(kind).catch(onTrouble);
  }

  async function workOff(kind: Kind): Promise<void> {
    const due = async (): Promise<readonly number[]> => {
      const first = (await store.read(findPendingWork, { ...worker, now: clock.now() }))[kind];
      return first === undefined ? [] : [first];
    };
    const all = async (): Promise<readonly number[]> => {
      hasWorked = true;
      await store.write(pieces[kind], worker);
      return [];
    };
    for (let [first] = await due(); !loop.isStopped && first !== undefined; [first] = await due()) {
      const run: DueRun = { kind, all, one: all, due, isOne: true };
      // Suspected work waits for its turn: the next poll looks at it again.
      if (!(await storedWork.take({ kind, id: first }, () => rows.run(run)))) return;
    }
  }

  async function stop(): Promise<void> {
    await loop.stop();
    if (hasWorked) await store.write(releasePendingWork, worker).catch(onTrouble);
  }

  return { loop, stop };
}
