// Runs operations on due rows so that a row that fails holds up no others: it is set aside for a minute, logged once, and named
// by an alarm until it works again.

import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { type DueRow, endSetAside, setAsideRow } from '../../operations/system/set-aside.ts';
import type { Store } from '../../store/store.ts';

/** How an operation is run on due rows. Both return the ids of rows that are due again at once, so that they made no progress. */
export type DueRun = {
  readonly kind: DueRow['kind'];
  readonly all: () => Promise<readonly number[]>;
  readonly one: (id: number) => Promise<readonly number[]>;
  /** The rows that `all` would run on; read after it has failed. */
  readonly due: () => Promise<readonly number[]>;
};

type Parts = { readonly store: Store; readonly clock: Clock; readonly onTrouble: (error: unknown) => void };

/** Time after the end of a delay in which a row would have been tried again. */
const graceMs = 30_000;

export class DueRows {
  readonly #parts: Parts;
  readonly #aside = new Map<string, { readonly until: number; readonly path: string }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run({ kind, all, one, due }: DueRun): Promise<void> {
    try {
      await this.#setAsideStuck(kind, await all());
    } catch (error) {
      if (isStoreAway(error)) throw error;
      const ids = await due();
      if (ids.length === 0) throw error;
      for (const id of ids) await this.#runOne(kind, id, one);
    }
  }

  async #runOne(kind: DueRow['kind'], id: number, one: DueRun['one']): Promise<void> {
    try {
      await this.#setAsideStuck(kind, await one(id));
    } catch (error) {
      if (isStoreAway(error)) throw error;
      await this.#setAside({ kind, id }, error);
    }
  }

  async #setAsideStuck(kind: DueRow['kind'], ids: readonly number[]): Promise<void> {
    for (const id of ids) await this.#setAside({ kind, id }, new Error(`The ${kind} ${id} is due again at once.`));
  }

  async #setAside(row: DueRow, error: unknown): Promise<void> {
    const key = `${row.kind} ${row.id}`;
    if (!this.#aside.has(key))
      this.#parts.onTrouble(new Error(`The ${row.kind} ${row.id} was set aside.`, { cause: error }));
    this.#aside.set(key, await this.#parts.store.write(setAsideRow, row));
  }

  /** Ends the alarms about rows that did not fail when they were tried again. */
  async endAlarms(): Promise<void> {
    const { store, clock } = this.#parts;
    for (const [key, { until, path }] of this.#aside) {
      if (clock.now() < until + graceMs) continue;
      this.#aside.delete(key);
      const isOther = [...this.#aside.values()].some((other) => other.path === path);
      if (!isOther) await store.write(endSetAside, { path });
    }
  }
}

/** The database is away, or has no room for the write: nothing is wrong with the row. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
