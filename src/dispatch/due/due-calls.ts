// The due work of calls: causes that begin calls, calls that go on, and attempts that are made; a row that fails holds up no
// others.

import { randomInt } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { CallMessage } from '../../domain/calls/delivery.ts';
import { listDueRows, startCalls, stepCalls } from '../../operations/calls/advance.ts';
import { failAttempt, goOnAfterFault, reportNoAttempts } from '../../operations/calls/delivery/attempt-faults.ts';
import { listOpenAttempts, takeAttempts } from '../../operations/calls/delivery/take-attempts.ts';
import type { Store } from '../../store/store.ts';
import { type DueRun, isStoreAway } from './due-rows.ts';

type Parts = { readonly store: Store; readonly clock: Clock; readonly onTrouble: (error: unknown) => void };

export function dueCauses({ store, clock }: Parts): DueRun {
  const start = async (input: { readonly onlyId?: number }): Promise<readonly number[]> => {
    await store.write(startCalls, input);
    return [];
  };
  return {
    kind: 'cause',
    all: () => start({}),
    one: (onlyId) => start({ onlyId }),
    due: async () => (await store.read(listDueRows, { now: clock.now() })).causes,
  };
}

export function dueCalls({ store, clock }: Parts): DueRun {
  return {
    kind: 'call',
    all: () => store.write(stepCalls, {}),
    one: (onlyId) => store.write(stepCalls, { onlyId }),
    due: async () => (await store.read(listDueRows, { now: clock.now() })).calls,
  };
}

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
   * If taking all fails, takes them one after the other. One that cannot be made ends as failed, and its call goes on with
   * the next try, number or person. If that is true of each of several, it is not their fault: they stay due.
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

  /** Ends an attempt that a fault keeps from being made or ended, and lets its call go on if it can. */
  async fail(id: number, error: unknown): Promise<void> {
    const { store, onTrouble } = this.#parts;
    onTrouble(new Error(`The attempt ${id} could not be made or ended.`, { cause: error }));
    await store.write(failAttempt, { id });
    await store.write(goOnAfterFault, { id }).catch(onTrouble);
  }
}
