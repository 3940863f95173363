// How far the clock of this machine is from that of the server, which the ages and the times of a mask rest on.

import { refetchEvery } from '../data/lists/query-failures.ts';
import { useRead } from '../data/lists/use-read.ts';
import { basePath } from '../data/server.ts';
import { differenceOf } from './clock-difference.ts';

/** A smaller difference is not told: the server says its time in whole seconds. */
const toldFromMs = 5_000;
const everyMs = 600_000;

/** Returns by how many milliseconds this machine is fast; negative: slow; undefined for what does not matter or is not known. */
export function useClockDifference(): number | undefined {
  const difference = useRead({
    queryKey: ['clock'],
    queryFn: measure,
    refetchInterval: refetchEvery(everyMs),
    staleTime: everyMs,
  });
  return difference.when({ known: (ms) => (Math.abs(ms) < toldFromMs ? undefined : ms), unread: () => undefined });
}

async function measure(): Promise<number> {
  const asked = Date.now();
  const response = await fetch(`${basePath}/health/live`, { cache: 'no-store' });
  const answered = Date.now();
  // A response that is not read to its end keeps its connection.
  await response.text();
  const server = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(server) ? 0 : differenceOf(server, asked, answered);
}
