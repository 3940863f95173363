// Starts the event feed, and keeps the server's clock in step with the database's.

import { MonotonicClock } from '../clock.ts';
import { ClockSync } from '../dispatch/clock-sync.ts';
import { alarmTopic } from '../operations/alarms/events.ts';
import { type EventFeed, followEvents } from '../store/event-feed.ts';
import type { PartContext } from './part-context.ts';

export async function followEventLog(context: PartContext): Promise<EventFeed> {
  const feed = await followEvents(context.store, alarmTopic, context.onTrouble);
  context.teardown.add(() => feed.stop());
  if (context.clock instanceof MonotonicClock) await startClockSync(context.clock, feed, context);
  return feed;
}

async function startClockSync(
  clock: MonotonicClock,
  feed: EventFeed,
  { store, log, onTrouble, teardown }: PartContext,
): Promise<void> {
  const onStep = (byMs: number): void => log.warn({ byMs }, 'the clock was set to another time');
  const clockSync = new ClockSync({ store, feed, clock, onTrouble, onStep });
  teardown.add(() => clockSync.stop());
  await clockSync.start();
}
