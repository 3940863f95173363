// Does what has come due for alarms: delays that have run out, masks that end. Due times are rows; this only looks.

import type { Clock } from '../clock.ts';
import { runDueAlarms } from '../operations/alarms/operator-commands.ts';
import { hasDueAlarms } from '../operations/alarms/queries.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

/** Looking is one seek in a small index; half a second keeps every delay exact to the second, whatever the clock does. */
const pollEveryMs = 500;

export function startDueAlarms(store: Store, clock: Clock, onTrouble: (error: unknown) => void): PollingLoop {
  const rounds: PollingLoop = new PollingLoop(pollEveryMs, work, onTrouble);

  async function work(): Promise<void> {
    const isDue = (): Promise<boolean> => store.read(hasDueAlarms, { now: clock.now() });
    while (!rounds.isStopped && (await isDue())) await store.write(runDueAlarms, {});
  }

  return rounds;
}
