// Seals the audit trail in the background: a minute after the last seal, sooner when a whole segment waits, and at the
// stop of the server.

import type { Clock } from '../../clock.ts';
import type { KnownSeal } from '../../domain/audit/verify.ts';
import { countUnsealed, rowsPerSegment, sealAudit } from '../../operations/audit/seal.ts';
import type { Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';
import type { StoredWork } from '../stored-work.ts';

const everyMs = 60_000;
const pollEveryMs = 5_000;

type SealerParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
  /** Called with each seal, so that a copy of its hash leaves the database. */
  readonly onSeal: (seal: KnownSeal & { readonly rows: number }) => void;
  /** Keeps the newest seal outside of the database. */
  readonly keep: (seal: KnownSeal) => Promise<void>;
};

export class AuditSealer {
  readonly #parts: SealerParts;
  readonly #loop: PollingLoop;
  #last: number;

  constructor(parts: SealerParts) {
    this.#parts = parts;
    this.#last = parts.clock.now();
    this.#loop = new PollingLoop(pollEveryMs, () => this.#sealWhenDue(), parts.onTrouble);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  /** Seals what is left. Another node may be sealing too; then the rows are in its segment. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#takeAll().catch(this.#parts.onTrouble);
  }

  async #sealWhenDue(): Promise<void> {
    const { store, clock } = this.#parts;
    // Absolute difference: a clock that was set back must not stop the sealing.
    const isDue = Math.abs(clock.now() - this.#last) >= everyMs;
    const waiting = await store.read(countUnsealed, {});
    if (waiting < (isDue ? 1 : rowsPerSegment)) return;
    this.#last = clock.now();
    await this.#takeAll();
  }

  #takeAll(): Promise<boolean> {
    return this.#parts.work.take({ kind: 'seal', id: 0 }, () => this.#sealAll());
  }

  async #sealAll(): Promise<void> {
    const { store, onSeal, keep } = this.#parts;
    for (;;) {
      const seal = await store.write(sealAudit, {});
      if (seal === undefined) return;
      onSeal(seal);
      await keep(seal);
    }
  }
}
