// Preloaded into a measured server: reports its memory, CPU time and longest event-loop turn to the bench.

import { isMainThread } from 'node:worker_threads';
import { handleRequests } from './asking.ts';

export type LongestTurn = { readonly wallMs: number; readonly cpuMs: number };

/** One event-loop turn passes between two timer ticks, unless it is shorter than this. */
const tickEveryMs = 1;

let watch: NodeJS.Timeout | undefined;
let longest = { wallMs: 0, cpuMs: 0 };

/** Returns the CPU time of this thread in ms. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function watchTurns(): void {
  longest = { wallMs: 0, cpuMs: 0 };
  let last = { wallMs: performance.now(), cpuMs: threadMs() };
  watch = setInterval(() => {
    const now = { wallMs: performance.now(), cpuMs: threadMs() };
    longest = {
      wallMs: Math.max(longest.wallMs, now.wallMs - last.wallMs),
      cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
    };
    last = now;
  }, tickEveryMs);
}

if (isMainThread) {
  handleRequests({
    /** Resident bytes after garbage collection. */
    memory: () => {
      global.gc?.();
      global.gc?.();
      return process.memoryUsage.rss();
    },
    /** CPU time of all threads in ms. */
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    watch: watchTurns,
    longest: (): LongestTurn => {
      clearInterval(watch);
      return longest;
    },
  });
}
