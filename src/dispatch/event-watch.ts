// Raises a system alarm when changes are stored that consoles and telephones on this node do not hear of.

import { reportEventsDelayed } from '../operations/system/system-alarms.ts';
import type { Store } from '../store/store.ts';

const pollEveryMs = 5_000;
/** Longer than another node needs to take over from one that is frozen or gone. */
const alarmAfterMs = 13_000;

type EventWatch = { poll(): Promise<void>; stop(): void };

export function watchEvents(store: Store, nodeName: string, onTrouble: (error: unknown) => void): EventWatch {
  const poll = async (): Promise<void> => {
    const delayMs = store.eventDelayMs();
    if (delayMs < alarmAfterMs) return;
    await store.write(reportEventsDelayed, { nodeName, seconds: Math.round(delayMs / 1_000) }).catch(onTrouble);
  };
  const timer = setInterval(() => void poll(), pollEveryMs);
  return { poll, stop: () => clearInterval(timer) };
}
