// Polls for hand-overs of the duty, which people are told in writing if the call policy says so.

import type { Clock } from '../clock.ts';
import { isHandOverDue, noteHandOvers } from '../operations/calls/notices/hand-overs.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

/** A poll reads a few rows; a hand-over is told within seconds. */
const pollEveryMs = 2_000;

export function startHandOvers(store: Store, clock: Clock, onTrouble: (error: unknown) => void): PollingLoop {
  return new PollingLoop(
    pollEveryMs,
    async () => {
      if (await store.read(isHandOverDue, { now: clock.now() })) await store.write(noteHandOvers, {});
    },
    onTrouble,
  );
}
