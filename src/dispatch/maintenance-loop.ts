// Warns of API keys about to expire, and purges expired events, history, calls and audit rows, once a minute in small
// transactions.

import type { Clock } from '../clock.ts';
import { warnOfExpiringKeys } from '../operations/access/key-warnings.ts';
import { trimAudit } from '../operations/audit/seal.ts';
import { purgeCalls } from '../operations/calls/purge.ts';
import { trimHistory } from '../operations/history/purge.ts';
import { purgeExpired } from '../operations/system/purge.ts';
import { beginPurge } from '../operations/system/purge-pace.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

const everyMs = 60_000;
const dayMs = 86_400_000;
const yearMs = 365.25 * dayMs;

type Retention = { readonly eventDays: number; readonly recordingDays: number; readonly historyYears: number };

export class Maintenance {
  readonly #store: Store;
  readonly #retention: Retention;
  readonly #startedAt: number;
  readonly #loop: PollingLoop;

  constructor(store: Store, clock: Clock, retention: Retention, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#retention = retention;
    this.#startedAt = clock.now();
    this.#loop = new PollingLoop(everyMs, () => this.pass(), onTrouble);
  }

  /** Does what is due. The loop does it once a minute; a test at once. */
  async pass(): Promise<void> {
    // A damaged page that the writer reads ends the process; nothing of this is urgent.
    await this.#store.check();
    await this.#store.write(warnOfExpiringKeys, {});
    const asOf = await this.#store.write(beginPurge, { startedAt: this.#startedAt });
    if (asOf === undefined) return;
    const eventsBefore = asOf - this.#retention.eventDays * dayMs;
    const before = asOf - this.#retention.historyYears * yearMs;
    await this.#repeat(() => this.#store.write(purgeExpired, { asOf, eventsBefore }));
    await this.#repeat(() => this.#store.write(trimHistory, { before }));
    const recordingsBefore = asOf - this.#retention.recordingDays * dayMs;
    await this.#repeat(() => this.#store.write(purgeCalls, { before, recordingsBefore, phonesBefore: eventsBefore }));
    await this.#repeat(() => this.#store.write(trimAudit, { before }));
  }

  /** Repeats a step until it has nothing left to do. */
  async #repeat(step: () => Promise<boolean>): Promise<void> {
    for (let hasMore = true; hasMore && !this.#loop.isStopped; ) hasMore = await step();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
