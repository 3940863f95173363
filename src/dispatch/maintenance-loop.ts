// Purges expired events, history, calls and audit rows once a minute, in small transactions.

import type { Clock } from '../clock.ts';
import { trimAudit } from '../operations/audit/seal.ts';
import { purgeCalls } from '../operations/calls/purge.ts';
import { trimHistory } from '../operations/history/purge.ts';
import { purgeExpired } from '../operations/system/purge.ts';
import type { Store } from '../store/store.ts';

const everyMs = 60_000;
const dayMs = 86_400_000;
const yearMs = 365.25 * dayMs;

type Maintenance = { stop(): Promise<void> };

export function startMaintenance(
  store: Store,
  clock: Clock,
  retention: { readonly eventDays: number; readonly historyYears: number },
  onTrouble: (error: unknown) => void,
): Maintenance {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();

  async function purge(): Promise<void> {
    try {
      for (let hasMore = true; hasMore && !isStopped; ) {
        ({ hasMore } = await store.write(purgeExpired, { eventsBefore: clock.now() - retention.eventDays * dayMs }));
      }
      const before = clock.now() - retention.historyYears * yearMs;
      for (let hasMore = true; hasMore && !isStopped; ) hasMore = await store.write(trimHistory, { before });
      const phonesBefore = clock.now() - retention.eventDays * dayMs;
      for (let hasMore = true; hasMore && !isStopped; )
        hasMore = await store.write(purgeCalls, { before, phonesBefore });
      for (let hasMore = true; hasMore && !isStopped; ) hasMore = await store.write(trimAudit, { before });
    } catch (error) {
      onTrouble(error);
    }
  }

  // Chained, so that two purges never run at once when the database is slow.
  const timer = setInterval(() => {
    current = current.then(purge);
  }, everyMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await current;
    },
  };
}
