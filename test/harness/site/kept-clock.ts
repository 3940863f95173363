// Keeps the clock of a site in step with a database time that the test sets, as a server does with the time of its database.

import assert from 'node:assert/strict';
import { ClockSync } from '../../../src/dispatch/clock-sync.ts';
import { alarmTopic } from '../../../src/operations/alarms/events.ts';
import { type ReferenceTime, readReferenceTime } from '../../../src/operations/system/reference-time.ts';
import { followEvents } from '../../../src/store/event-feed.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../until.ts';
import type { Site } from './site.ts';

const fail = (error: unknown): void => assert.fail(String(error));
/** Rounded to minutes, which hides the time the queries took. */
export const hours = (ms: number): number => Math.round(ms / 60_000) / 60;

/** Runs a ClockSync on the clock of the site against a database time that the test steps by `setBy`. */
export async function keepClock({ app }: Site) {
  let movedBy = 0;
  let setBy = 0;
  const store = Object.create(app.store, {
    read: {
      value: async (query: never, args: never) => {
        const answer = await app.store.read(query, args);
        if (query !== (readReferenceTime as never)) return answer;
        return { ...(answer as ReferenceTime), now: app.clock.now() - movedBy + setBy };
      },
    },
    write: { value: app.store.write.bind(app.store) },
  }) as Store;
  const clock = {
    now: () => app.clock.now(),
    moveBy: (ms: number) => {
      movedBy += ms;
      app.clock.moveBy(ms);
    },
  };
  const feed = await followEvents(app.store, alarmTopic, fail);
  const steps: number[] = [];
  const keeper = new ClockSync({ store, clock, feed, onTrouble: fail, onStep: (ms) => void steps.push(ms) });
  await keeper.start();
  return {
    // Disposed before the store closes; a `t.after` hook would run too late.
    async [Symbol.asyncDispose]() {
      await feed.stop();
      await keeper.stop();
    },
    steps,
    movedBy: () => movedBy,
    async setClock(byMs: number) {
      const before = steps.length;
      setBy += byMs;
      await keeper.poll();
      await until(
        () => steps.length,
        (length) => length > before,
      );
    },
  };
}
