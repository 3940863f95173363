// Does what has come due for alarms: delays that have run out, masks that end. Due times are rows; this only looks.

import type { Clock } from '../clock.ts';
import { runDueAlarms } from '../operations/alarm-command.ts';
import { hasDueAlarms } from '../store/alarms.ts';
import type { Store } from '../store/store.ts';

/** Looking is one seek in a small index; half a second keeps every delay exact to the second, whatever the clock does. */
const lookEveryMs = 500;

export type DueAlarms = { look(): void; stop(): Promise<void> };

export function startDueAlarms(store: Store, clock: Clock, onTrouble: (error: unknown) => void): DueAlarms {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();
  let isLooking = false;

  async function work(): Promise<void> {
    isLooking = true;
    try {
      while (!isStopped && (await store.read(hasDueAlarms, { now: clock.now() }))) await store.write(runDueAlarms, {});
    } catch (error) {
      onTrouble(error);
    } finally {
      isLooking = false;
    }
  }

  function look(): void {
    if (!isLooking) current = work();
  }

  const timer = setInterval(look, lookEveryMs);
  return {
    look,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await current;
    },
  };
}
