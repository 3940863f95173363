// Runs operations on due rows so that a row that fails holds up no others: it is set aside for a minute, logged once, and named
// by an alarm until it works again.

import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { type DueRow, endSetAside, listSetAsideOver, setAsideRow } from '../../operations/system/set-aside.ts';
import type { Store } from '../../store/store.ts';
import type { StoredWork } from '../stored-work.ts';

/** How an operation is run on due rows. Both return the ids of rows that are due again at once, so that they made no progress. */
export type DueRun = {
  readonly kind: DueRow['kind'];
  readonly all: () => Promise<readonly number[]>;
  readonly one: (id: number) => Promise<readonly number[]>;
  /** The rows that `all` would run on; read after it has failed. */
  readonly due: () => Promise<readonly number[]>;
  /** Whether `all` is one row, which the caller has in hand. */
  readonly isOne?: boolean;
};

type Parts = { readonly store: Store; readonly clock: Clock; readonly onTrouble: (error: unknown) => void };
type DueParts = Parts & { readonly work: StoredWork };

export class DueRows {
  readonly #parts: DueParts;
  /** The rows that the log has named. */
  readonly #logged = new Set<string>();

  constructor(parts: DueParts) {
    this.#parts = parts;
  }

  async run({ kind, all, one, due, isOne = false }: DueRun): Promise<void> {
    const { work } = this.#parts;
    if (!isOne && (await work.isSuspected(kind))) return this.#runSingly(kind, await due(), one);
    try {
      await this.#setAsideStuck(kind, await (isOne ? all() : work.hold({ kind, id: 0 }, all)));
    } catch (error) {
      if (isStoreAway(error)) throw error;
      const ids = await due();
      if (ids.length === 0) throw error;
      for (const id of ids) await this.#runOne(kind, id, one);
    }
  }

  /** One of them ended the server, each time all were in hand: that one will be in hand alone. Suspects are run last. */
  async #runSingly(kind: DueRow['kind'], ids: readonly number[], one: DueRun['one']): Promise<void> {
    const { work } = this.#parts;
    const suspects = new Set(await work.suspectsOf(kind));
    const order = ids.toSorted((a, b) => Number(suspects.has(a)) - Number(suspects.has(b)));
    for (const id of order) await work.hold({ kind, id }, () => this.#runOne(kind, id, one));
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
    const { store, onTrouble } = this.#parts;
    const key = `${row.kind} ${row.id}`;
    if (!this.#logged.has(key)) onTrouble(new Error(`The ${row.kind} ${row.id} was set aside.`, { cause: error }));
    this.#logged.add(key);
    await store.write(setAsideRow, row);
  }
}

/** How often alarms are looked for that are about rows which work again. */
const lookEveryMs = 30_000;

/** Ends the alarms about rows that work again. Each on its own: a call that cannot be read keeps none of the others. */
export class SetAsideEnds {
  readonly #parts: Parts;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async look(): Promise<void> {
    const { store, clock, onTrouble } = this.#parts;
    const now = clock.now();
    if (Math.abs(now - this.#lookedAt) < lookEveryMs) return;
    this.#lookedAt = now;
    for (const alarm of await store.read(listSetAsideOver, { now }))
      await store.write(endSetAside, alarm).catch(onTrouble);
  }
}

/** The database is away, or has no room for the write: nothing is wrong with the row. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
