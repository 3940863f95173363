// Polls for alarms whose delay or mask has ended and runs their transitions. Due times are stored in rows.

import type { Clock } from '../../clock.ts';
import { listDueAlarms, runDueAlarms } from '../../operations/alarms/operator-commands.ts';
import { hasDueAlarms } from '../../operations/alarms/queries.ts';
import type { Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';
import type { StoredWork } from '../stored-work.ts';
import { DueRows, type DueRun } from './due-rows.ts';

/** A poll is one seek in a small index; at half a second every delay is exact to the second even after a clock step. */
const pollEveryMs = 500;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
};

export function startDueAlarms({ store, clock, work: storedWork, onTrouble }: Parts): PollingLoop {
  const rows = new DueRows({ store, clock, work: storedWork, onTrouble });
  const run: DueRun = {
    kind: 'alarm',
    all: () => store.write(runDueAlarms, {}),
    one: (onlyId) => store.write(runDueAlarms, { onlyId }),
    due: () => store.read(listDueAlarms, { now: clock.now() }),
  };
  const loop: PollingLoop = new PollingLoop(pollEveryMs, work, onTrouble);

  async function work(): Promise<void> {
    const isDue = (): Promise<boolean> => store.read(hasDueAlarms, { now: clock.now() });
    while (!loop.isStopped && (await isDue())) await rows.run(run);
  }

  return loop;
}
