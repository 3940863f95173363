// Runs the store's house-keeping once a minute, in small steps, for as long as the server runs.

import type { Clock } from '../clock.ts';
import { trimCalls } from '../operations/calls/purge.ts';
import { trimHistory } from '../operations/history/purge.ts';
import { purgeExpired } from '../operations/system/purge.ts';
import type { Store } from '../store/store.ts';

const everyMs = 60_000;
const dayMs = 86_400_000;
const yearMs = 365.25 * dayMs;

export type Maintenance = { stop(): Promise<void> };

export function startMaintenance(
  store: Store,
  clock: Clock,
  kept: { readonly eventDays: number; readonly historyYears: number },
  onTrouble: (error: unknown) => void,
): Maintenance {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();

  async function keep(): Promise<void> {
    try {
      for (let hasMore = true; hasMore && !isStopped; ) {
        ({ hasMore } = await store.write(purgeExpired, { eventsBefore: clock.now() - kept.eventDays * dayMs }));
      }
      const before = clock.now() - kept.historyYears * yearMs;
      for (let hasMore = true; hasMore && !isStopped; ) hasMore = await store.write(trimHistory, { before });
      const phonesBefore = clock.now() - kept.eventDays * dayMs;
      for (let hasMore = true; hasMore && !isStopped; )
        hasMore = await store.write(trimCalls, { before, phonesBefore });
    } catch (error) {
      onTrouble(error);
    }
  }

  // One after the other: a store that is slow to tidy is not asked to tidy twice at once.
  const timer = setInterval(() => {
    current = current.then(keep);
  }, everyMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await current;
    },
  };
}
