// The one place where a server begins stored work by itself: what it has in hand is written beside the store, work that was in hand at
// unplanned ends is begun last and alone, and what was given up is not begun.

import type { SteadyClock } from '../clock.ts';
import { holdBackAfter, type Quarantined, type Work, type WorkKind } from '../domain/quarantine.ts';
import { listSuspects } from '../operations/quarantine/unplanned-end.ts';
import type { Store } from '../store/store.ts';
import type { WorkInHand } from './work-in-hand.ts';

type Parts = {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly inHand: Pick<WorkInHand, 'begin' | 'end'>;
};

/** How often suspects are read anew: released work begins within this time. */
const readEveryMs = 1_000;

type Suspect = Work & Quarantined;

export class StoredWork {
  readonly #parts: Parts;
  #openedAt: number | undefined;
  readonly #opened = Promise.withResolvers<void>();
  #suspects: readonly Suspect[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  /** When this process began a suspect last, and whether it still has it in hand. */
  #begunAt = Number.NEGATIVE_INFINITY;
  #hasSuspect = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Lets work begin, once the unplanned end of the process before this one is noted. */
  open(): void {
    this.#openedAt = this.#parts.clock.elapsed();
    this.#opened.resolve();
  }

  /** For work that would be looked at again only much later. */
  whenOpen(): Promise<void> {
    return this.#opened.promise;
  }

  /** Does work, and has it in hand meanwhile. */
  hold<T>(work: Work, run: () => Promise<T>): Promise<T> {
    return this.holdAll([work], run);
  }

  /** Does pieces of work at once, however many, and has all of them in hand meanwhile. */
  async holdAll<T>(works: readonly Work[], run: () => Promise<T>): Promise<T> {
    const { inHand } = this.#parts;
    for (const work of works) inHand.begin(work);
    try {
      return await run();
    } finally {
      for (const work of works) inHand.end(work);
    }
  }

  /** Does work unless it is given up, or is suspected and has to wait for its turn; returns whether it was done. */
  async take(work: Work, run: () => Promise<unknown>): Promise<boolean> {
    if (this.#openedAt === undefined) return false;
    const known = await this.#known(work);
    if (known === undefined) {
      await this.hold(work, run);
      return true;
    }
    if (known.state === 'failed' || !this.#isTurnOf(known, this.#openedAt)) return false;
    this.#begunAt = this.#parts.clock.elapsed();
    this.#hasSuspect = true;
    try {
      await this.hold(work, run);
    } finally {
      this.#hasSuspect = false;
    }
    return true;
  }

  /** Alone, and after the calls that are suspects. */
  #isTurnOf({ ends }: Suspect, openedAt: number): boolean {
    const since = Math.max(openedAt, this.#begunAt);
    return !this.#hasSuspect && this.#parts.clock.elapsed() - since >= holdBackAfter(ends.length);
  }

  /** Whether all that is due of the kind was in hand at unplanned ends, so that its rows are begun one by one. */
  async isSuspected(kind: WorkKind): Promise<boolean> {
    return (await this.#known({ kind, id: 0 })) !== undefined;
  }

  /** The rows of the kind that are suspects. */
  async suspectsOf(kind: WorkKind): Promise<readonly number[]> {
    return (await this.#read()).filter((one) => one.kind === kind && one.state === 'suspect').map(({ id }) => id);
  }

  async #known({ kind, id }: Work): Promise<Suspect | undefined> {
    return (await this.#read()).find((one) => one.kind === kind && one.id === id);
  }

  async #read(): Promise<readonly Suspect[]> {
    const { store, clock } = this.#parts;
    if (clock.elapsed() - this.#readAt < readEveryMs) return this.#suspects;
    this.#suspects = await store.read(listSuspects, { now: clock.now() });
    this.#readAt = clock.elapsed();
    return this.#suspects;
  }
}
