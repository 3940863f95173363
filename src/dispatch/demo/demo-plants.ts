// The demo plant of this node: makes and removes it step by step, goes on with what a crash left half-done, and moves its alarms.

import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { Caller } from '../../domain/access/access.ts';
import type { DemoFacts } from '../../domain/demo/facts.ts';
import { beginDemo, beginDemoRemoval, stepDemo } from '../../operations/demo/change-demo.ts';
import { moveDemo } from '../../operations/demo/move.ts';
import { findDueDemo, getDemo } from '../../operations/demo/queries.ts';
import type { Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';
import type { StoredWork } from '../stored-work.ts';

/** A poll reads one row. */
const pollEveryMs = 1_000;
/** How soon a step that waits for the end of a call is tried again. */
const waitMs = 50;
/** The plant is the same each time. */
const seed = 20_261_116;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
};

export class DemoPlants {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #timeZone: string;
  readonly #work: StoredWork;
  readonly #loop: PollingLoop;

  constructor({ store, clock, timeZone, work, onTrouble }: Parts) {
    this.#store = store;
    this.#clock = clock;
    this.#timeZone = timeZone;
    this.#work = work;
    this.#loop = new PollingLoop(pollEveryMs, () => this.#goOn(), onTrouble);
  }

  /** Makes it, or goes on with one that is half-made. */
  async make(caller: Caller): Promise<DemoFacts> {
    await this.#store.write(beginDemo, { caller, seed, timeZone: this.#timeZone });
    await this.#steps();
    return this.#store.read(getDemo, {});
  }

  async remove(caller: Caller): Promise<void> {
    await this.#store.write(beginDemoRemoval, { caller });
    await this.#steps();
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #goOn(): Promise<void> {
    const due = await this.#store.read(findDueDemo, { now: this.#clock.now() });
    if (due === undefined) return;
    await this.#work.take({ kind: 'demo', id: 0 }, () =>
      due === 'step' ? this.#steps() : this.#store.write(moveDemo, {}),
    );
  }

  /** Each step is a transaction of its own, so that the requests of others come between. */
  async #steps(): Promise<void> {
    for (;;) {
      if (this.#loop.isStopped) return;
      const progress = await this.#store.write(stepDemo, {});
      if (progress === 'done') return;
      if (progress === 'waiting') await delay(waitMs);
    }
  }
}
