// Raises a system alarm before the disk of the data folder is full.

import { statfs } from 'node:fs/promises';
import { reportDiskLow } from '../operations/system/system-alarms.ts';
import type { Store } from '../store/store.ts';

const pollEveryMs = 30_000;
/** The used share from which the system alarm is raised. */
const alarmingShare = 0.9;

type DiskWatch = { poll(): Promise<void>; stop(): void };

/** Returns the used share of the disk, from 0 to 1. */
export async function usedShare(folder: string): Promise<number> {
  const { blocks, bavail } = await statfs(folder);
  return blocks === 0 ? 0 : 1 - bavail / blocks;
}

export function watchDisk(store: Store, share: () => Promise<number>, onTrouble: (error: unknown) => void): DiskWatch {
  const poll = async (): Promise<void> => {
    try {
      const used = await share();
      if (used >= alarmingShare) await store.write(reportDiskLow, { percent: Math.floor(used * 100) });
    } catch (error) {
      onTrouble(error);
    }
  };
  const timer = setInterval(() => void poll(), pollEveryMs);
  return { poll, stop: () => clearInterval(timer) };
}
