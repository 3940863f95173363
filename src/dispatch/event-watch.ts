// Raises a system alarm when changes are stored that consoles and telephones on this node do not hear of.

import { endEventsDelayed, reportEventsDelayed } from '../operations/system/system-alarms.ts';
import type { Store } from '../store/store.ts';

const pollEveryMs = 5_000;
/** Longer than another node needs to take over from one that is frozen or gone. */
const alarmAfterMs = 13_000;

type EventWatch = { poll(): Promise<void>; stop(): void };

export function watchEvents(store: Store, nodeName: string, onTrouble: (error: unknown) => void): EventWatch {
  let latePolls = 0;
  // A process before this one may have raised it.
  let mayBeRaised = true;
  const look = async (): Promise<void> => {
    const delayMs = store.eventDelayMs();
    latePolls = delayMs < alarmAfterMs ? 0 : latePolls + 1;
    if (latePolls === 0 && mayBeRaised) {
      await store.write(endEventsDelayed, { nodeName });
      mayBeRaised = false;
    }
    // Once may be a process that was suspended and has not asked the database since.
    if (latePolls < 2) return;
    mayBeRaised = true;
    await store.write(reportEventsDelayed, { nodeName, seconds: Math.round(delayMs / 1_000) });
  };
  const poll = (): Promise<void> => look().catch(onTrouble);
  const timer = setInterval(() => void poll(), pollEveryMs);
  return { poll, stop: () => clearInterval(timer) };
}
