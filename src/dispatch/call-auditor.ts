// Once a minute reads everything that is open, has what was forgotten mended, and only when all is well tells the outside.

import type { Clock } from '../clock.ts';
import { findCallGaps, isLastResortLost } from '../operations/calls/find-gaps.ts';
import { repairCallGaps } from '../operations/calls/repair-gaps.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

const everyMs = 60_000;
const pollEveryMs = 5_000;
const heartbeatTimeoutMs = 5_000;
/** Two rounds missed: calling cannot be vouched for. */
const vouchedForMs = 130_000;

type AuditorParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly heartbeatUrl: string | undefined;
  readonly onTrouble: (error: unknown) => void;
  /** Told, once each time, of what was mended. */
  readonly onGaps: (count: number) => void;
};

export class CallAuditor {
  readonly #parts: AuditorParts;
  readonly #loop: PollingLoop;
  #last: number;
  #cleanAt: number;

  constructor(parts: AuditorParts) {
    this.#parts = parts;
    this.#last = parts.clock.now();
    this.#cleanAt = performance.now();
    this.#loop = new PollingLoop(pollEveryMs, () => this.#auditWhenDue(), parts.onTrouble);
  }

  poll(): void {
    this.#loop.poll();
  }

  /** Why calling cannot be vouched for; undefined when it can. */
  async trouble(): Promise<string | undefined> {
    if (performance.now() - this.#cleanAt > vouchedForMs) return 'calls have not been found in order for two minutes';
    const isLost = await this.#parts.store.read(isLastResortLost, {});
    return isLost ? 'not even the last resort could be reached' : undefined;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #auditWhenDue(): Promise<void> {
    const now = this.#parts.clock.now();
    // A clock that was set back must not keep it from looking.
    if (Math.abs(now - this.#last) < everyMs) return;
    this.#last = now;
    await this.#audit();
  }

  async #audit(): Promise<void> {
    const { store, clock, onGaps } = this.#parts;
    const suspects = await store.read(findCallGaps, { now: clock.now() });
    const gaps = suspects.length === 0 ? [] : await store.write(repairCallGaps, {});
    if (gaps.length > 0) {
      onGaps(gaps.length);
      return;
    }
    this.#cleanAt = performance.now();
    if ((await this.trouble()) === undefined) await this.#beat();
  }

  async #beat(): Promise<void> {
    const { heartbeatUrl, onTrouble } = this.#parts;
    if (heartbeatUrl === undefined) return;
    const answer = await fetch(heartbeatUrl, { signal: AbortSignal.timeout(heartbeatTimeoutMs), redirect: 'error' });
    await answer.body?.cancel();
    // The address may hold a secret.
    if (!answer.ok) onTrouble(new Error(`The heartbeat was answered ${answer.status}.`));
  }
}
