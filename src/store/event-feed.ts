// Follows the event log from a position on and hands each event to those who asked, once and in order.

import { readEvents, readLogPosition, type StoredEvent } from './events.ts';
import type { Store } from './store.ts';

/** A missed nudge costs at most this long. */
const lookEveryMs = 2_000;
const batchSize = 500;

export type EventFeed = {
  /** Called for every event from now on, after its commit. It must not throw and should not take long. */
  subscribe(listener: (event: StoredEvent) => void): () => void;
  stop(): Promise<void>;
};

/** Starts at the end of the log; `onTrouble` is told of reads that failed, which are tried again. */
export async function followEvents(store: Store, onTrouble: (error: unknown) => void): Promise<EventFeed> {
  const listeners = new Set<(event: StoredEvent) => void>();
  let { position } = await store.read(readLogPosition, {});
  let isStopped = false;
  let isReading = false;
  let hasNews = false;
  let finished: Promise<void> = Promise.resolve();

  async function readAll(): Promise<void> {
    isReading = true;
    try {
      while (hasNews && !isStopped) {
        hasNews = false;
        const events = await store.read(readEvents, { after: position, limit: batchSize });
        for (const event of events) {
          position = event.position;
          for (const listener of listeners) listener(event);
        }
        if (events.length === batchSize) hasNews = true;
      }
    } catch (error) {
      onTrouble(error);
    } finally {
      // In the same turn as the last look at hasNews, so that no nudge falls in between.
      isReading = false;
    }
  }

  function look(): void {
    hasNews = true;
    if (!isReading) finished = readAll();
  }

  const forget = store.onEvents(look);
  const timer = setInterval(look, lookEveryMs);
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      forget();
      await finished;
    },
  };
}
