// Raises a system alarm before the disk of the data folder is full, and ends it when there is room again.

import { statfs } from 'node:fs/promises';
import { endNodeTrouble, reportDiskLow } from '../../operations/system/node-alarms.ts';
import type { Store } from '../../store/store.ts';
import { LastingTrouble } from './lasting-trouble.ts';

const pollEveryMs = 30_000;
/** The used share from which the system alarm is raised, and the one below which it is over: a log that grows and is cut ends nothing. */
const alarmingShare = 0.9;
const fineShare = 0.88;

type DiskWatch = { poll(): Promise<void>; stop(): void };

/** Returns the used share of the disk, from 0 to 1. */
export async function usedShare(folder: string): Promise<number> {
  const { blocks, bavail } = await statfs(folder);
  return blocks === 0 ? 0 : 1 - bavail / blocks;
}

export function watchDisk(
  store: Store,
  nodeName: string,
  share: () => Promise<number>,
  onTrouble: (error: unknown) => void,
): DiskWatch {
  const low = new LastingTrouble(() => store.write(endNodeTrouble, { nodeName, trouble: 'disk-low' }));
  const look = async (): Promise<void> => {
    const used = await share();
    if (used >= alarmingShare)
      await low.lasts(() => store.write(reportDiskLow, { nodeName, percent: Math.floor(used * 100) }));
    else if (used < fineShare) await low.isOver();
  };
  const poll = (): Promise<void> => look().catch(onTrouble);
  const timer = setInterval(() => void poll(), pollEveryMs);
  return { poll, stop: () => clearInterval(timer) };
}
