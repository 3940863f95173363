// Raises a system alarm when changes are stored that consoles and telephones on this node do not hear of.

import { endNodeTrouble, reportEventsDelayed } from '../operations/system/node-alarms.ts';
import type { Store } from '../store/store.ts';
import { LastingTrouble } from './watches/lasting-trouble.ts';

const pollEveryMs = 5_000;
/** Longer than another node needs to take over from one that is frozen or gone. */
const alarmAfterMs = 13_000;

type EventWatch = { poll(): Promise<void>; stop(): void };

export function watchEvents(store: Store, nodeName: string, onTrouble: (error: unknown) => void): EventWatch {
  let latePolls = 0;
  const delayed = new LastingTrouble(() => store.write(endNodeTrouble, { nodeName, trouble: 'events-delayed' }));
  const look = async (): Promise<void> => {
    const delayMs = store.eventDelayMs();
    latePolls = delayMs < alarmAfterMs ? 0 : latePolls + 1;
    if (latePolls === 0) await delayed.isOver();
    // Once may be a process that was suspended and has not asked the database since.
    if (latePolls >= 2)
      await delayed.lasts(() => store.write(reportEventsDelayed, { nodeName, seconds: Math.round(delayMs / 1_000) }));
  };
  const poll = (): Promise<void> => look().catch(onTrouble);
  const timer = setInterval(() => void poll(), pollEveryMs);
  return { poll, stop: () => clearInterval(timer) };
}
