// Loaded into a server before its own code: tells the bench what the process holds, uses, and how long a turn takes.

import { isMainThread } from 'node:worker_threads';
import { answerQuestions } from './asking.ts';

export type Held = { readonly wallMs: number; readonly cpuMs: number };

/** Between two looks there is one turn of the event loop, unless it is shorter than this. */
const lookEveryMs = 1;

let watch: NodeJS.Timeout | undefined;
let longest = { wallMs: 0, cpuMs: 0 };

/** Processor time of this thread in ms. */
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
  }, lookEveryMs);
}

if (isMainThread) {
  answerQuestions({
    /** Resident bytes with no garbage among them. */
    memory: () => {
      global.gc?.();
      global.gc?.();
      return process.memoryUsage.rss();
    },
    /** Processor time of all threads in ms. */
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    watch: watchTurns,
    longest: (): Held => {
      clearInterval(watch);
      return longest;
    },
  });
}
