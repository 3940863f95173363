// Polls for hand-overs of the duty, which people are told in writing if the call policy says so.

import type { Clock } from '../clock.ts';
import { isHandOverDue, noteHandOvers } from '../operations/calls/notices/hand-overs.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';
import type { StoredWork } from './stored-work.ts';

/** A poll reads a few rows; a hand-over is told within seconds. */
const pollEveryMs = 2_000;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
};

export function startHandOvers({ store, clock, work, onTrouble }: Parts): PollingLoop {
  return new PollingLoop(
    pollEveryMs,
    async () => {
      if (await store.read(isHandOverDue, { now: clock.now() }))
        await work.take({ kind: 'hand-over', id: 0 }, () => store.write(noteHandOvers, {}));
    },
    onTrouble,
  );
}
