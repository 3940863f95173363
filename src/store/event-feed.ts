// Follows the event log from a position on and hands each event to those who asked, once and in order.

import { type EventPage, readEvents, readLogPosition, readOtherEvents, type StoredEvent } from './event-log.ts';
import type { Store } from './store.ts';

/** A missed nudge costs at most this long. */
const lookEveryMs = 2_000;
const batchSize = 500;

export type EventFeed = {
  /**
   * Called for every event from now on, after its commit; `but-alarms` leaves out those about alarms, which are many. It
   * must not throw and should not take long.
   */
  subscribe(listener: (event: StoredEvent) => void, which?: 'all' | 'but-alarms'): () => void;
  /** Everything up to here has been handed out, to those who wanted it. */
  readonly position: number;
  stop(): Promise<void>;
};

/** Starts at the end of the log; `onTrouble` is told of reads that failed, which are tried again. */
export async function followEvents(store: Store, onTrouble: (error: unknown) => void): Promise<EventFeed> {
  const listeners = new Map<(event: StoredEvent) => void, 'all' | 'but-alarms'>();
  let { position } = await store.read(readLogPosition, {});
  let isStopped = false;
  let isReading = false;
  /** Whether something may be committed that has not been read. */
  let hasNews = true;
  let finished: Promise<void> = Promise.resolve();

  /** Nothing is read that nobody wants to hear of. */
  async function read(): Promise<EventPage> {
    const page = { after: position, limit: batchSize };
    if (!wantsAlarms()) {
      const others = await store.read(readOtherEvents, page);
      // Whoever came meanwhile wants to hear of the alarms this has passed over.
      if (!wantsAlarms()) return others;
    }
    const events = await store.read(readEvents, page);
    return { events, position: events.at(-1)?.position ?? position };
  }

  function wantsAlarms(): boolean {
    return [...listeners.values()].includes('all');
  }

  function tell(event: StoredEvent): void {
    const isAlarm = event.kind.startsWith('alarm.');
    for (const [listener, which] of listeners) if (which === 'all' || !isAlarm) listener(event);
  }

  async function readAll(): Promise<void> {
    isReading = true;
    try {
      while (hasNews && !isStopped) {
        hasNews = false;
        const { events, position: readTo } = await read();
        for (const event of events) tell(event);
        position = readTo;
        if (events.length === batchSize) hasNews = true;
      }
    } catch (error) {
      hasNews = true;
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

  const forget = store.onEvents((alarmsTo) => {
    // Where nobody follows alarms, there is nothing to read in most of what is committed.
    if (alarmsTo !== undefined && !hasNews && !isReading && !wantsAlarms()) position = Math.max(position, alarmsTo);
    else look();
  });
  const timer = setInterval(look, lookEveryMs);
  return {
    subscribe(listener, which = 'all') {
      listeners.set(listener, which);
      return () => listeners.delete(listener);
    },
    get position() {
      return position;
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      forget();
      await finished;
    },
  };
}
