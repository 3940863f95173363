// The call auditor: checks every open call once a minute, repairs gaps, and sends the heartbeat while calling is healthy.

import type { Clock } from '../clock.ts';
import type { Heartbeat } from '../domain/system-report.ts';
import { type CallGap, findCallGaps, repairCallGaps } from '../operations/calls/audit-calls.ts';
import { watchBudget } from '../operations/calls/control/budget.ts';
import { endChannelDown, listChannelsBack } from '../operations/providers/channel-alarms.ts';
import type { Store } from '../store/store.ts';
import { isStoreAway } from './due/due-rows.ts';
import { PollingLoop } from './polling-loop.ts';
import type { StoredWork } from './stored-work.ts';

const everyMs = 60_000;
const pollEveryMs = 5_000;
const heartbeatTimeoutMs = 5_000;

type AuditorParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly work: StoredWork;
  readonly heartbeatUrl: string | undefined;
  /** Whether calling is healthy; asked after each audit, before the heartbeat. */
  readonly isHealthy: () => Promise<boolean>;
  readonly onTrouble: (error: unknown) => void;
  /** Called after each audit that repaired gaps. */
  readonly onGaps: (count: number) => void;
};

export class CallAuditor {
  readonly #parts: AuditorParts;
  readonly #loop: PollingLoop;
  #last: number;
  #audited: { readonly at: number; readonly isClean: boolean };
  #heartbeat: Heartbeat | undefined;

  constructor(parts: AuditorParts) {
    this.#parts = parts;
    this.#last = parts.clock.now();
    this.#audited = { at: performance.now(), isClean: true };
    this.#loop = new PollingLoop(pollEveryMs, () => this.#auditWhenDue(), parts.onTrouble);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  /** Returns when open calls were audited last, by the monotonic clock, and whether that found no gap. */
  lastAudit(): { readonly at: number; readonly isClean: boolean } {
    return this.#audited;
  }

  /** Returns what came of the last heartbeat of this node; undefined if it has sent none. */
  lastHeartbeat(): Heartbeat | undefined {
    return this.#heartbeat;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #auditWhenDue(): Promise<void> {
    const now = this.#parts.clock.now();
    // Absolute difference: a clock that was set back must not stop the audits.
    if (Math.abs(now - this.#last) < everyMs) return;
    this.#last = now;
    await this.#parts.work.take({ kind: 'audit', id: 0 }, () => this.#audit());
  }

  async #audit(): Promise<void> {
    const { store, clock, onGaps, isHealthy } = this.#parts;
    const suspects = await store.read(findCallGaps, { now: clock.now() });
    const gaps = suspects.length === 0 ? [] : await this.#repair(suspects);
    this.#audited = { at: performance.now(), isClean: gaps.length === 0 };
    if (gaps.length > 0) onGaps(gaps.length);
    await store.write(watchBudget, {});
    for (const channel of await store.read(listChannelsBack, { now: clock.now() }))
      await store.write(endChannelDown, { channel });
    if (await isHealthy()) await this.#sendHeartbeat();
  }

  /** Repairs the gaps; if that fails, one after the other, so that one that cannot be repaired keeps none of the others. */
  async #repair(suspects: readonly CallGap[]): Promise<readonly CallGap[]> {
    const { store, onTrouble } = this.#parts;
    try {
      return await store.write(repairCallGaps, {});
    } catch (error) {
      if (isStoreAway(error)) throw error;
    }
    for (const only of suspects)
      await store.write(repairCallGaps, { only }).catch((error) => {
        onTrouble(new Error(`The gap "${only.kind}" of ${only.id} could not be repaired.`, { cause: error }));
      });
    return suspects;
  }

  async #sendHeartbeat(): Promise<void> {
    const { heartbeatUrl, clock, onTrouble } = this.#parts;
    if (heartbeatUrl === undefined) return;
    const at = clock.now();
    const options = { signal: AbortSignal.timeout(heartbeatTimeoutMs), redirect: 'error' } as const;
    const response = await fetch(heartbeatUrl, options).catch((error) => {
      this.#heartbeat = { at, problem: 'it was not answered' };
      throw error;
    });
    await response.body?.cancel();
    this.#heartbeat = { at, problem: response.ok ? undefined : `it was answered ${response.status}` };
    // Leaves the URL out of the error: it may contain a secret.
    if (!response.ok) onTrouble(new Error(`The heartbeat was answered ${response.status}.`));
  }
}
