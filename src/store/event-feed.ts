// Follows the event log from a position on and passes each event to the subscribers, once and in order.

import { type EventPage, type PageAfter, readLogPosition, type StoredEvent } from './event-log.ts';
import type { Query, Store } from './store.ts';

/** Polling interval; also the longest delay after a missed nudge. */
const pollEveryMs = 2_000;
const batchSize = 500;

/** The topic, the first word of an event's kind, whose events `appendChained` appends: those many subscribers leave out. */
export type FrequentTopic = {
  readonly topic: string;
  readonly readOthers: Query<PageAfter, EventPage>;
  readonly readAll: Query<PageAfter, readonly StoredEvent[]>;
};

type Wanted = 'all' | 'but-frequent';

export type EventFeed = {
  /**
   * `listener` is called for every event from now on, after its commit; `but-frequent` leaves out those of the frequent
   * topic. The listener should return quickly.
   */
  subscribe(listener: (event: StoredEvent) => void, which?: Wanted): () => void;
  /** Every event up to this position has been passed to the subscribers that wanted it. */
  readonly position: number;
  stop(): Promise<void>;
};

/** Starts at the end of the log. Failed reads are reported to `onTrouble` and retried. */
export async function followEvents(
  store: Store,
  { topic, readOthers, readAll: readWhole }: FrequentTopic,
  onTrouble: (error: unknown) => void,
): Promise<EventFeed> {
  const listeners = new Map<(event: StoredEvent) => void, Wanted>();
  let { position } = await store.read(readLogPosition, {});
  let isStopped = false;
  let isReading = false;
  /** Whether events may have been committed that are not read yet. */
  let hasNews = true;
  let finished: Promise<void> = Promise.resolve();

  /** Reads the next page, without frequent events while no subscriber wants them. */
  async function read(): Promise<EventPage> {
    const page = { after: position, limit: batchSize };
    if (!wantsFrequent()) {
      const others = await store.read(readOthers, page);
      // A subscriber added during this read wants the frequent events the read skipped.
      if (!wantsFrequent()) return others;
    }
    const events = await store.read(readWhole, page);
    return { events, position: events.at(-1)?.position ?? position };
  }

  function wantsFrequent(): boolean {
    return [...listeners.values()].includes('all');
  }

  function publish(event: StoredEvent): void {
    const isFrequent = event.kind.startsWith(`${topic}.`);
    for (const [listener, which] of listeners) if (which === 'all' || !isFrequent) pass(event, listener, onTrouble);
  }

  async function readAll(): Promise<void> {
    isReading = true;
    try {
      while (hasNews && !isStopped) {
        hasNews = false;
        const { events, position: readTo } = await read();
        for (const event of events) publish(event);
        position = readTo;
        if (events.length === batchSize) hasNews = true;
      }
    } catch (error) {
      hasNews = true;
      onTrouble(error);
    } finally {
      // Set in the same event-loop turn as the last check of hasNews, so that no nudge is lost in between.
      isReading = false;
    }
  }

  function poll(): void {
    hasNews = true;
    if (!isReading) finished = readAll();
  }

  const unsubscribe = store.onEvents((frequentTo) => {
    // Without a subscriber to frequent events, most commits need no read: only the position moves on.
    if (frequentTo !== undefined && !hasNews && !isReading && !wantsFrequent())
      position = Math.max(position, frequentTo);
    else poll();
  });
  const timer = setInterval(poll, pollEveryMs);
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
      unsubscribe();
      await finished;
    },
  };
}

/** A listener that throws has had the event: nobody else misses it, and it is not passed again. */
function pass(event: StoredEvent, listener: (event: StoredEvent) => void, onTrouble: (error: unknown) => void): void {
  try {
    listener(event);
  } catch (cause) {
    onTrouble(new Error(`internal fault in a listener of the event ${event.kind} ${event.position}`, { cause }));
  }
}
