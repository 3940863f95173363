// The attempts that are due: one that fails because of a fault in Tocsin holds up no others.

import { randomInt } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { CallMessage } from '../../domain/calls/delivery.ts';
import { failAttempt, reportNoAttempts } from '../../operations/calls/delivery/attempt-faults.ts';
import { listOpenAttempts, takeAttempts } from '../../operations/calls/delivery/take-attempts.ts';
import type { Store } from '../../store/store.ts';
import { isStoreAway } from './due-rows.ts';

type Parts = { readonly store: Store; readonly clock: Clock; readonly onTrouble: (error: unknown) => void };

/** A code that a person can answer a text with. */
export function newReplyCode(): string {
  return String(randomInt(1000, 10_000));
}

type Taking = Parameters<typeof takeAttempts.run>[2];

/** How long no attempts are taken after none of several could be. */
const retryAfterMs = 5_000;

/** Takes attempts that are due; one that cannot be made keeps none of the others from being made. */
export class DueAttempts {
  readonly #parts: Parts;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * If taking all fails, takes them one after the other. One that cannot be made ends as failed, and the
   * next try, number or person follows. If that is true of each of several, it is not their fault: they stay due.
   */
  async take(taking: Taking): Promise<readonly CallMessage[]> {
    const { store, clock } = this.#parts;
    if (performance.now() < this.#notBefore) return [];
    try {
      return await store.write(takeAttempts, taking);
    } catch (error) {
      if (isStoreAway(error)) throw error;
    }
    const ids = await store.read(listOpenAttempts, { now: clock.now() });
    const messages: CallMessage[] = [];
    const faults = new Map<number, unknown>();
    for (const onlyId of ids) {
      try {
        messages.push(...(await store.write(takeAttempts, { ...taking, replyCodes: [newReplyCode()], onlyId })));
      } catch (error) {
        if (isStoreAway(error)) throw error;
        faults.set(onlyId, error);
      }
    }
    if (faults.size > 1 && faults.size === ids.length) await this.#wait(faults);
    else for (const [id, error] of faults) await this.fail(id, error);
    return messages;
  }

  async #wait(faults: ReadonlyMap<number, unknown>): Promise<void> {
    const { store, onTrouble } = this.#parts;
    this.#notBefore = performance.now() + retryAfterMs;
    const [first] = faults.values();
    onTrouble(new Error(`None of ${faults.size} attempts could be made.`, { cause: first }));
    await store.write(reportNoAttempts, {});
  }

  /** Ends an attempt that a fault keeps from being made or ended; the next try, number or person follows. */
  async fail(id: number, error: unknown): Promise<void> {
    const { store, onTrouble } = this.#parts;
    onTrouble(new Error(`The attempt ${id} could not be made or ended.`, { cause: error }));
    await store.write(failAttempt, { id });
  }
}
