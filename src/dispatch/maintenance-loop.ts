// Warns of API keys about to expire, and purges expired events, history, calls and audit rows, once a minute in small
// transactions. A step that fails keeps none of the others.

import type { Clock } from '../clock.ts';
import { warnOfExpiringKeys } from '../operations/access/key-warnings.ts';
import { trimAudit } from '../operations/audit/seal.ts';
import { purgeCalls } from '../operations/calls/purge.ts';
import { trimHistory } from '../operations/history/purge.ts';
import { purgeExpired } from '../operations/system/purge.ts';
import { beginPurge } from '../operations/system/purge-pace.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';
import type { StoredWork } from './stored-work.ts';

const everyMs = 60_000;
const dayMs = 86_400_000;
const yearMs = 365.25 * dayMs;

type Retention = { readonly eventDays: number; readonly recordingDays: number; readonly historyYears: number };

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly retention: Retention;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
};

export class Maintenance {
  readonly #parts: Parts;
  readonly #startedAt: number;
  readonly #loop: PollingLoop;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#loop = new PollingLoop(everyMs, () => this.pass(), parts.onTrouble);
  }

  /** Does what is due. The loop does it once a minute; a test at once. */
  async pass(): Promise<void> {
    const { store, work, onTrouble } = this.#parts;
    // A damaged page that the writer reads ends the process; nothing of this is urgent.
    await store.check();
    await store.write(warnOfExpiringKeys, {}).catch(onTrouble);
    await work.take({ kind: 'purge', id: 0 }, () => this.#purge());
  }

  async #purge(): Promise<void> {
    const { store, retention, onTrouble } = this.#parts;
    const asOf = await store.write(beginPurge, { startedAt: this.#startedAt });
    if (asOf === undefined) return;
    const eventsBefore = asOf - retention.eventDays * dayMs;
    const before = asOf - retention.historyYears * yearMs;
    const recordingsBefore = asOf - retention.recordingDays * dayMs;
    const steps = [
      () => store.write(purgeExpired, { asOf, eventsBefore }),
      () => store.write(trimHistory, { before }),
      () => store.write(purgeCalls, { before, recordingsBefore, phonesBefore: eventsBefore }),
      () => store.write(trimAudit, { before }),
    ];
    for (const step of steps) await this.#repeat(step).catch(onTrouble);
  }

  /** Repeats a step until it has nothing left to do. */
  async #repeat(step: () => Promise<boolean>): Promise<void> {
    for (let hasMore = true; hasMore && !this.#loop.isStopped; ) hasMore = await step();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
