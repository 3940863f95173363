// Works off what is done in pieces: acknowledgements of many occurrences, and moves and new names of many tags. Between two
// pieces others write.

import type { Clock } from '../../clock.ts';
import { acknowledgePending } from '../../operations/history/pending-acknowledgements.ts';
import { movePending } from '../../operations/plant/move-pending.ts';
import { findPendingWork } from '../../operations/system/pending-work.ts';
import type { Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';
import { DueRows, type DueRun } from './due-rows.ts';

const pollEveryMs = 500;

const pieces = { acknowledgement: acknowledgePending, move: movePending } as const;

type Kind = keyof typeof pieces;

export function startPendingWork(store: Store, clock: Clock, onTrouble: (error: unknown) => void): PollingLoop {
  const rows = new DueRows({ store, clock, onTrouble });
  const loop: PollingLoop = new PollingLoop(pollEveryMs, work, onTrouble);

  async function work(): Promise<void> {
    // One that fails does not hold up the other.
    for (const kind of ['acknowledgement', 'move'] as const) await workOff(kind).catch(onTrouble);
  }

  async function workOff(kind: Kind): Promise<void> {
    const due = async (): Promise<readonly number[]> => {
      const first = (await store.read(findPendingWork, { now: clock.now() }))[kind];
      return first === undefined ? [] : [first];
    };
    const all = async (): Promise<readonly number[]> => {
      await store.write(pieces[kind], {});
      return [];
    };
    const run: DueRun = { kind, all, one: all, due };
    while (!loop.isStopped && (await due()).length > 0) await rows.run(run);
  }

  return loop;
}
