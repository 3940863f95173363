// How far the clock of this machine is from that of the server, which the ages and the times of a mask rest on.

import { useQuery } from '@tanstack/react-query';
import { refetchEvery } from '../data/lists/query-failures.ts';
import { basePath } from '../data/server.ts';
import { differenceOf } from './clock-difference.ts';

/** A smaller difference is not told: the server says its time in whole seconds. */
const toldFromMs = 5_000;
const everyMs = 600_000;

/** Returns by how many milliseconds this machine is fast; negative: slow; 0 for what does not matter. */
export function useClockDifference(): number {
  const { data = 0 } = useQuery({
    queryKey: ['clock'],
    queryFn: measure,
    refetchInterval: refetchEvery(everyMs),
    staleTime: everyMs,
  });
  return Math.abs(data) < toldFromMs ? 0 : data;
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
