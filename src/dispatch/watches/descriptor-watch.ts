// Raises a system alarm before the process runs out of file descriptors, which connections and files share, and ends it when
// enough are free again.

import { readdir, readFile } from 'node:fs/promises';
import { endNodeTrouble, reportFewDescriptors } from '../../operations/system/node-alarms.ts';
import type { Store } from '../../store/store.ts';
import { LastingTrouble } from './lasting-trouble.ts';

const pollEveryMs = 30_000;
/** More connections would take more memory than a small machine has. */
const mostConnections = 20_000;
const fewestConnections = 16;

export type DescriptorUse = { readonly open: number; readonly limit: number };

type DescriptorWatch = { poll(): Promise<void>; stop(): void };

/** Returns undefined where the system does not tell, as outside of Linux, and when there is no limit. */
export async function readDescriptorUse(): Promise<DescriptorUse | undefined> {
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return Number.isNaN(limit) ? undefined : { open: (await readdir('/proc/self/fd')).length, limit };
  } catch {
    return undefined;
  }
}

/** The descriptors that stay free of clients' connections: for the database, files and deliveries. */
function reserveOf(limit: number): number {
  return Math.max(64, Math.ceil(limit / 10));
}

/** Returns how many connections a server takes; at that number the system alarm is raised as well. */
export function defaultMaxConnections(use: DescriptorUse | undefined): number {
  if (use === undefined) return mostConnections;
  return Math.min(mostConnections, Math.max(fewestConnections, use.limit - reserveOf(use.limit)));
}

export function watchDescriptors(
  store: Store,
  nodeName: string,
  use: () => Promise<DescriptorUse | undefined>,
  onTrouble: (error: unknown) => void,
): DescriptorWatch {
  const few = new LastingTrouble(() => store.write(endNodeTrouble, { nodeName, trouble: 'few-descriptors' }));
  const look = async (): Promise<void> => {
    const found = await use();
    if (found === undefined) return;
    const [free, reserve] = [found.limit - found.open, reserveOf(found.limit)];
    if (free < reserve) await few.lasts(() => store.write(reportFewDescriptors, { nodeName, ...found }));
    // Some more: a client that comes and goes ends nothing.
    else if (free >= reserve * 1.25) await few.isOver();
  };
  const poll = (): Promise<void> => look().catch(onTrouble);
  const timer = setInterval(() => void poll(), pollEveryMs);
  return { poll, stop: () => clearInterval(timer) };
}
